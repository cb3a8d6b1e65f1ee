import { Effect, Pull, Stream } from "effect"

/** Reads the first piece of a stream, so that a stream that cannot begin fails while an error can still be answered. */
export const begun = Effect.fnUntraced(function* <A, E, R>(stream: Stream.Stream<A, E, R>) {
  const pull = yield* Stream.toPull(stream)
  const first = yield* Pull.catchDone(pull, () => Effect.succeed<ReadonlyArray<A>>([]))
  return Stream.concat(Stream.fromArray(first), Stream.fromPull(Effect.succeed(pull)))
})
