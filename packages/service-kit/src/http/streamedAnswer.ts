import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Cause, Effect, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { defectError } from "./defectError.ts"

/** The head of an answer. `contentLength` is in bytes, and has to be right. */
interface StreamedAnswerOptions {
  readonly contentType: string
  readonly contentLength?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Makes an answer that is written as fast as it is read. A failure destroys the connection, because the answer would seem complete. */
export const streamedAnswer = Effect.fnUntraced(function* (
  body: Stream.Stream<Uint8Array>,
  options: StreamedAnswerOptions
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const context = yield* Effect.context<never>()
  const breakOff = Effect.sync(() => NodeHttpServerRequest.toServerResponse(request).destroy())
  return HttpServerResponse.stream(
    body.pipe(
      Stream.tapCause((cause) =>
        Cause.hasInterrupts(cause) ? breakOff : Effect.andThen(defectError(cause), breakOff)
      ),
      Stream.provideContext(context)
    ),
    options
  )
})
