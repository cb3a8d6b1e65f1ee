import { isUnavailable, PeerUnavailable } from "@care/service-kit"
import { Clock, Effect, Fiber } from "effect"
import type { Accepted, AcceptedKeys } from "./AcceptedKeys.ts"

/** What auth knows of a key or a session, and for how many milliseconds it may be cached. */
interface Valid<Found> {
  readonly found: Found
  readonly forMillis: number
}

/** Asks auth about a key or a session. Dies when auth does not answer. */
export type ResolveCredential<Found, Refusal> = (name: string) => Effect.Effect<Found, Refusal>

/** How long auth's answer is cached: a revoked key must stop working everywhere within 5 seconds. */
export const cacheMillis = 3000

// While auth does not answer: how long an accepted key stays accepted, how long a request waits for auth, and how soon
// auth is asked again.
const acceptedMillis = 60_000
const answerMillis = 1000
const retryMillis = 1000

/**
 * Makes the look-up of a key or a session. While auth does not answer, one that it accepted in the last 60 seconds stays accepted
 * (docs/decisions/0004-identity-token.md). A late answer is stored when it comes. Look-ups may share what was accepted.
 */
export const makeKeyLookUp = <Found, Refusal>(
  resolve: ResolveCredential<Found, Refusal>,
  accepted: AcceptedKeys<Found>
) => {
  const ask = Effect.fnUntraced(function* (name: string) {
    const last = accepted.find(name)
    const until = (yield* Clock.currentTimeMillis) + acceptedMillis
    const refused = Effect.sync(() => accepted.refuse(name))
    const found = yield* Effect.tapError(resolve(name), () => refused)
    // A late acceptance does not undo a refusal that came before it.
    if (accepted.find(name) === last) accepted.accept(name, { found, until })
    return { found, forMillis: cacheMillis }
  })

  const acceptStale = Effect.fnUntraced(function* ({ found, until }: Accepted<Found>, defect: unknown) {
    const remaining = until - (yield* Clock.currentTimeMillis)
    if (remaining <= 0) return yield* Effect.die(defect)
    yield* Effect.logWarning("Auth does not answer: a key or session that it accepted before is still accepted")
    return { found, forMillis: Math.min(retryMillis, remaining) }
  })

  return (name: string): Effect.Effect<Valid<Found>, Refusal> =>
    Effect.suspend(() => {
      const last = accepted.find(name)
      if (last === undefined) return ask(name)
      return Effect.forkDetach(ask(name)).pipe(
        Effect.flatMap(Fiber.join),
        Effect.timeoutOrElse({
          duration: answerMillis,
          orElse: () => Effect.die(new PeerUnavailable({ peer: "auth" }))
        }),
        Effect.catchDefect((defect) => (isUnavailable(defect) ? acceptStale(last, defect) : Effect.die(defect)))
      )
    })
}
