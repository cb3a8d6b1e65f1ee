import { createServer } from "node:http"
import { Effect, Schema } from "effect"

/** A span as a process exported it. */
export interface CollectedSpan {
  readonly service: string
  readonly traceId: string
  readonly name: string
}

/** A receiver of traces (OTLP over HTTP). */
export interface Collector {
  readonly url: string
  /** The bodies of all exports so far. */
  readonly exports: ReadonlyArray<string>
}

/** Collects the traces of the processes that are told its URL. */
export const collector = Effect.acquireRelease(
  Effect.callback<{ readonly collector: Collector; readonly close: () => void }>((resume) => {
    const exports: Array<string> = []
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk) => chunks.push(chunk))
      request.on("end", () => {
        exports.push(Buffer.concat(chunks).toString("utf8"))
        response.end("{}")
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(
        Effect.succeed({
          collector: { url: `http://127.0.0.1:${port}`, exports },
          close: () => {
            server.closeAllConnections()
            server.close()
          }
        })
      )
    })
  }),
  ({ close }) => Effect.sync(close)
)

const Value = Schema.Struct({ stringValue: Schema.optional(Schema.String) })
const Export = Schema.fromJsonString(
  Schema.Struct({
    resourceSpans: Schema.Array(
      Schema.Struct({
        resource: Schema.Struct({ attributes: Schema.Array(Schema.Struct({ key: Schema.String, value: Value })) }),
        scopeSpans: Schema.Array(
          Schema.Struct({ spans: Schema.Array(Schema.Struct({ traceId: Schema.String, name: Schema.String })) })
        )
      })
    )
  })
)
const decodeExport = Schema.decodeUnknownSync(Export)

/** The spans of one trace that were exported so far. */
export const spansOf = ({ exports }: Collector, traceId: string): ReadonlyArray<CollectedSpan> =>
  exports.flatMap((text) =>
    decodeExport(text).resourceSpans.flatMap(({ resource, scopeSpans }) => {
      const service = resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue ?? ""
      return scopeSpans
        .flatMap(({ spans }) => spans)
        .filter((span) => span.traceId === traceId)
        .map((span) => ({ service, ...span }))
    })
  )
