import type { KeyNotRecognized, OrganizationDisabled, ResolvedKey } from "@care/domain/auth"
import { callers } from "@care/domain/http"
import { isUnavailable, PeerUnavailable } from "@care/service-kit"
import { Clock, Effect, Fiber } from "effect"
import { type AcceptedKey, AcceptedKeys } from "./AcceptedKeys.ts"

/** A valid key, and for how many milliseconds it may be cached. */
interface ValidKey extends Pick<AcceptedKey, "identity" | "movedTo"> {
  readonly forMillis: number
}

/** Asks auth which partner has the key with this hash. Dies when auth does not answer. */
export type ResolveKey = (hash: string) => Effect.Effect<ResolvedKey, KeyNotRecognized | OrganizationDisabled>

/** How long auth's answer is cached: a revoked key must stop working everywhere within 5 seconds. */
export const cacheMillis = 3000

// While auth does not answer: how long an accepted key stays accepted, how long a request waits for auth, and how soon
// auth is asked again.
const acceptedMillis = 60_000
const answerMillis = 1000
const retryMillis = 1000

/**
 * Makes the look-up of a key. While auth does not answer, a key that it accepted in the last 60 seconds stays accepted
 * (docs/decisions/0004-identity-token.md). A late answer is stored when it comes.
 */
export const makeKeyLookUp = (resolveKey: ResolveKey, capacity: number) => {
  const accepted = new AcceptedKeys(capacity)

  const ask = Effect.fnUntraced(function* (hash: string) {
    const last = accepted.find(hash)
    const until = (yield* Clock.currentTimeMillis) + acceptedMillis
    const refused = Effect.sync(() => accepted.refuse(hash))
    const { apiKeyId, movedTo, organizationId } = yield* Effect.tapError(resolveKey(hash), () => refused)
    const key = { identity: callers.partner.Identity.make({ apiKeyId, organizationId }), movedTo }
    // A late acceptance does not undo a refusal that came before it.
    if (accepted.find(hash) === last) accepted.accept(hash, { ...key, until })
    return { ...key, forMillis: cacheMillis }
  })

  const acceptStale = Effect.fnUntraced(function* ({ until, ...key }: AcceptedKey, defect: unknown) {
    const remaining = until - (yield* Clock.currentTimeMillis)
    if (remaining <= 0) return yield* Effect.die(defect)
    yield* Effect.logWarning("Auth does not answer: a key that it accepted before is still accepted")
    return { ...key, forMillis: Math.min(retryMillis, remaining) }
  })

  return (hash: string): Effect.Effect<ValidKey, KeyNotRecognized | OrganizationDisabled> =>
    Effect.suspend(() => {
      const last = accepted.find(hash)
      if (last === undefined) return ask(hash)
      return Effect.forkDetach(ask(hash)).pipe(
        Effect.flatMap(Fiber.join),
        Effect.timeoutOrElse({
          duration: answerMillis,
          orElse: () => Effect.die(new PeerUnavailable({ peer: "auth" }))
        }),
        Effect.catchDefect((defect) => (isUnavailable(defect) ? acceptStale(last, defect) : Effect.die(defect)))
      )
    })
}
