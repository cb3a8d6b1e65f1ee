import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Cause, Effect, Pull, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { defectError } from "./defectError.ts"

/** Reads the first piece of a stream, so that a stream that cannot begin fails while an error can still be answered. */
export const startStream = Effect.fnUntraced(function* <A, E, R>(stream: Stream.Stream<A, E, R>) {
  const pull = yield* Stream.toPull(stream)
  const first = yield* Pull.catchDone(pull, () => Effect.succeed<ReadonlyArray<A>>([]))
  return Stream.concat(Stream.fromArray(first), Stream.fromPull(Effect.succeed(pull)))
})

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
