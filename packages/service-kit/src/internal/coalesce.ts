import { Deferred, Effect, Exit } from "effect"

export interface CoalesceOptions<Key, Value, E> {
  /** Keys per call at most. */
  readonly batchSize: number
  /** Looks up many keys at once: a value for each, in the order of the keys; undefined when there is none. */
  readonly lookUp: (keys: ReadonlyArray<Key>) => Effect.Effect<ReadonlyArray<Value | undefined>, E>
}

/**
 * Turns a bulk look-up into single ones that share calls: one call is under way at a time, and look-ups that arrive
 * meanwhile travel together in the next. Many requests at once cost few calls, and a lone one waits for nothing.
 * (`RequestResolver` batches by a delay, which a lone request would pay.)
 */
export const coalesce = <Key, Value, E>({ batchSize, lookUp }: CoalesceOptions<Key, Value, E>) => {
  const waiting: Array<{ readonly key: Key; readonly found: Deferred.Deferred<Value | undefined, E> }> = []
  let isUnderWay = false

  const work = Effect.gen(function* () {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchSize)
      const exit = yield* Effect.exit(lookUp(batch.map(({ key }) => key)))
      batch.forEach(({ found }, index) => {
        Deferred.doneUnsafe(
          found,
          Exit.map(exit, (values) => values[index])
        )
      })
    }
    isUnderWay = false
  })

  return (key: Key): Effect.Effect<Value | undefined, E> =>
    Effect.suspend(() => {
      const found = Deferred.makeUnsafe<Value | undefined, E>()
      waiting.push({ key, found })
      if (isUnderWay) return Deferred.await(found)
      isUnderWay = true
      return Effect.andThen(Effect.forkDetach(work), Deferred.await(found))
    })
}
