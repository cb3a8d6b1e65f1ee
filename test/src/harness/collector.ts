import { createServer, type Server } from "node:http"
import { text } from "node:stream/consumers"
import { Effect, Schema } from "effect"

/** A span that a process exported. */
interface CollectedSpan {
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

/** Runs a collector until the scope closes. A suite exports its remaining spans when it stops. */
export const collector = Effect.map(
  Effect.acquireRelease(
    Effect.callback<{ readonly server: Server; readonly exports: ReadonlyArray<string> }>((resume) => {
      const exports: Array<string> = []
      const server = createServer(async (request, response) => {
        exports.push(await text(request))
        response.end("{}")
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed({ server, exports })))
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  ),
  ({ exports, server }): Collector => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return { url: `http://127.0.0.1:${port}`, exports }
  }
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

/** Returns the spans of one trace that were exported so far. */
export const spansOf = ({ exports }: Collector, traceId: string): ReadonlyArray<CollectedSpan> =>
  exports.flatMap((body) =>
    decodeExport(body).resourceSpans.flatMap(({ resource, scopeSpans }) => {
      const service = resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue ?? ""
      return scopeSpans
        .flatMap(({ spans }) => spans)
        .filter((span) => span.traceId === traceId)
        .map((span) => ({ service, ...span }))
    })
  )
