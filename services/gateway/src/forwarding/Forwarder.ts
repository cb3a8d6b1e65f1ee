import type { IncomingHttpHeaders } from "node:http"
import { PassThrough, type Readable } from "node:stream"
import type { ServiceName } from "@care/domain"
import { Context, Data, Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { type Dispatcher, Pool } from "undici"
import { GatewaySettings } from "../GatewaySettings.ts"
import { BodyTooLarge } from "./RequestBody.ts"
import { downstreamHeaders } from "./upstreamHeaders.ts"

/** A request as it is sent on to a service. */
export interface ForwardedRequest {
  readonly method: Dispatcher.HttpMethod
  /** Path and query. */
  readonly path: string
  readonly headers: Record<string, string | Array<string>>
  readonly body: Readable | Buffer | null
}

/** A service did not answer, or broke off before its answer began. */
export class ForwardFailed extends Data.TaggedError("ForwardFailed")<{ readonly cause: Error }> {}

/** Answers up to this many bytes are written at once together with their head; longer ones stream through. */
const wholeAnswerBytes = 64 * 1024

type Resume = (answer: Effect.Effect<HttpServerResponse.HttpServerResponse, ForwardFailed | BodyTooLarge>) => void

class AnswerHandler implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined
  private status = 0
  private headers: IncomingHttpHeaders = {}
  private chunks: Array<Buffer> = []
  private stream: PassThrough | undefined
  private readonly resume: Resume

  constructor(resume: Resume) {
    this.resume = resume
  }

  abort(reason: Error) {
    this.controller?.abort(reason)
    this.stream?.destroy(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    this.controller = controller
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders) {
    if (status < 200) return
    this.status = status
    this.headers = headers
    const length = headers["content-length"]
    if (length !== undefined && Number(length) <= wholeAnswerBytes) return
    this.stream = new PassThrough()
    this.stream.on("drain", () => controller.resume())
    this.resume(Effect.succeed(HttpServerResponse.raw(this.stream, this.options(length))))
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
    else this.resume(Effect.fail(error instanceof BodyTooLarge ? error : new ForwardFailed({ cause: error })))
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

/** Sends requests on to the services over keep-alive connections, both bodies streaming. */
export class Forwarder extends Context.Service<
  Forwarder,
  {
    readonly forward: (
      service: ServiceName,
      request: ForwardedRequest
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, ForwardFailed | BodyTooLarge>
  }
>()("@care/gateway/forwarding/Forwarder") {
  static readonly layer = Layer.effect(
    Forwarder,
    Effect.gen(function* () {
      const { services } = yield* GatewaySettings
      const poolTo = (url: string) =>
        Effect.acquireRelease(
          Effect.sync(
            () =>
              new Pool(url, { connections: 128, keepAliveTimeout: 30_000, headersTimeout: 20_000, bodyTimeout: 60_000 })
          ),
          (pool) => Effect.promise(() => pool.destroy())
        )
      const pools = yield* Effect.all({
        auth: poolTo(services.auth),
        cases: poolTo(services.cases),
        payments: poolTo(services.payments),
        scheduling: poolTo(services.scheduling)
      })

      return Forwarder.of({
        forward: (service, request) =>
          Effect.callback((resume) => {
            const handler = new AnswerHandler(resume)
            pools[service].dispatch({ ...request }, handler)
            return Effect.sync(() => handler.abort(new Error("The caller hung up")))
          })
      })
    })
  )
}
