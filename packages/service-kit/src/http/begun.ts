import { Effect, Pull, Stream } from "effect"

/**
 * A stream of which the first piece is here: what keeps it from beginning fails now, while it can still be answered. It lives as
 * long as the scope, that of a request, whether or not somebody reads it.
 */
export const begun = Effect.fnUntraced(function* <A, E, R>(stream: Stream.Stream<A, E, R>) {
  const pull = yield* Stream.toPull(stream)
  const first = yield* Pull.catchDone(pull, () => Effect.succeed<ReadonlyArray<A>>([]))
  return Stream.concat(Stream.fromArray(first), Stream.fromPull(Effect.succeed(pull)))
})
