import type { IncomingHttpHeaders } from "node:http"
import { PassThrough, type Readable } from "node:stream"
import type { ServiceName } from "@care/domain/peers"
import { type IdentityRefusal, refusalIn } from "@care/service-kit"
import { Clock, Context, Data, Effect, Layer, Record } from "effect"
import { HttpServerResponse } from "effect/http"
import { type Dispatcher, Pool } from "undici"
import { type Cell, Cells } from "../cells/index.ts"
import { connectionsPerService } from "../limits/index.ts"
import { BodyTooLarge, BodyTooSlow } from "../receiving/index.ts"
import type { MinuteCounts } from "./MinuteCounts.ts"
import { Traffic } from "./Traffic.ts"
import { downstreamHeaders } from "./upstreamHeaders.ts"

/** A request as the service gets it. */
export interface ForwardedRequest {
  readonly method: Dispatcher.HttpMethod
  /** The path with its query. */
  readonly path: string
  readonly headers: Record<string, string | Array<string>>
  readonly body: Readable | Buffer | null
}

/** A service did not answer, or its connection ended before the answer began. */
export class ForwardFailed extends Data.TaggedError("ForwardFailed")<{
  readonly service: ServiceName
  readonly cause: Error
}> {
  override get message(): string {
    return `The ${this.service} service did not answer: ${this.cause.message}`
  }
}

type Failure = ForwardFailed | BodyTooLarge | BodyTooSlow

/** An answer of up to this many bytes is written together with its head; a longer one is streamed. */
const wholeAnswerBytes = 64 * 1024

type Resume = (answer: Effect.Effect<HttpServerResponse.HttpServerResponse, Failure>) => void

class AnswerHandler implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined
  private abortReason: Error | undefined
  private status = 0
  private headers: IncomingHttpHeaders = {}
  private chunks: Array<Buffer> = []
  private stream: PassThrough | undefined
  private refusal: IdentityRefusal | undefined
  private readonly service: ServiceName
  private readonly counts: MinuteCounts
  private readonly clock: Clock.Clock
  private readonly resume: Resume
  private readonly since: number

  constructor(service: ServiceName, counts: MinuteCounts, clock: Clock.Clock, resume: Resume) {
    this.service = service
    this.counts = counts
    this.clock = clock
    this.resume = resume
    this.since = clock.currentTimeMillisUnsafe()
  }

  abort(reason: Error) {
    this.abortReason = reason
    this.controller?.abort(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    this.controller = controller
    // The caller hung up before there was a connection.
    if (this.abortReason !== undefined) controller.abort(this.abortReason)
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders) {
    if (status < 200) return
    this.status = status
    this.headers = headers
    this.refusal = refusalIn(headers)
    if (this.refusal !== undefined) return
    const length = headers["content-length"]
    // A 204 and a 304 have no body, and therefore no length and no type.
    if (status === 204 || status === 304 || (length !== undefined && Number(length) <= wholeAnswerBytes)) return
    const stream = new PassThrough()
    stream.on("drain", () => controller.resume())
    // The writer of the answer handles errors. Before it has a listener, an error would end the process.
    stream.on("error", () => {})
    // Stops the service's answer when the caller hangs up.
    stream.on("close", () => {
      if (!stream.writableEnded) controller.abort(new Error("The caller hung up"))
    })
    this.stream = stream
    this.count(status >= 500)
    this.resume(Effect.succeed(HttpServerResponse.raw(stream, this.options(length))))
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer) {
    if (this.stream === undefined) this.chunks.push(chunk)
    else if (!this.stream.write(chunk)) controller.pause()
  }

  onResponseEnd() {
    if (this.stream !== undefined) {
      this.stream.end()
      return
    }
    this.count(this.refusal !== undefined || this.status >= 500)
    if (this.refusal !== undefined) {
      this.resume(new ForwardFailed({ service: this.service, cause: this.refusal }))
      return
    }
    const [only] = this.chunks
    const body = this.chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.chunks)
    this.resume(
      Effect.succeed(
        body.length === 0
          ? HttpServerResponse.empty({ status: this.status, headers: downstreamHeaders(this.headers) })
          : HttpServerResponse.uint8Array(body, this.options(undefined))
      )
    )
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error) {
    if (this.stream !== undefined) this.stream.destroy(error)
    else if (error instanceof BodyTooLarge || error instanceof BodyTooSlow) this.resume(Effect.fail(error))
    else {
      if (error !== this.abortReason) this.count(true)
      this.resume(new ForwardFailed({ service: this.service, cause: error }))
    }
  }

  private count(isFailed: boolean) {
    const now = this.clock.currentTimeMillisUnsafe()
    this.counts.add(now, now - this.since, isFailed)
  }

  private options(length: string | undefined) {
    const headers = downstreamHeaders(this.headers)
    if (length !== undefined) headers["content-length"] = length
    return {
      status: this.status,
      headers,
      contentType: this.headers["content-type"] ?? "application/octet-stream"
    }
  }
}

/** Forwards requests to the services of cells over keep-alive connections. Both bodies are streamed. */
export class Forwarder extends Context.Service<
  Forwarder,
  {
    readonly forward: (
      cell: Cell,
      service: ServiceName,
      request: ForwardedRequest
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, Failure>
  }
>()("@care/gateway/forwarding/Forwarder") {
  static readonly layer = Layer.effect(
    Forwarder,
    Effect.gen(function* () {
      const cells = yield* Cells
      const clock = yield* Clock.Clock
      const traffic = yield* Traffic
      const poolTo = (url: string) =>
        Effect.acquireRelease(
          Effect.sync(
            () =>
              new Pool(url, {
                connections: connectionsPerService,
                keepAliveTimeout: 30_000,
                headersTimeout: 20_000,
                bodyTimeout: 60_000
              })
          ),
          (pool) => Effect.promise(() => pool.destroy())
        )
      const pools = new Map(
        yield* Effect.forEach(cells.all, (cell) =>
          Effect.map(Effect.all(Record.map(cell.services, poolTo)), (pools) => [cell.name, pools] as const)
        )
      )

      return Forwarder.of({
        forward: (cell, service, request) =>
          Effect.callback((resume) => {
            const handler = new AnswerHandler(service, traffic.of(cell, service), clock, resume)
            pools.get(cell.name)?.[service].dispatch({ ...request }, handler)
            return Effect.sync(() => handler.abort(new Error("The caller hung up")))
          })
      })
    })
  )
}
