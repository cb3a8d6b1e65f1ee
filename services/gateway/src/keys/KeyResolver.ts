import { AuthApi } from "@care/domain/auth"
import { KeyInvalid, KeyMissing } from "@care/domain/http"
import { keyHash, peer, unexpected } from "@care/service-kit"
import { Cache, Cause, Context, Effect, Exit, Layer } from "effect"
import type { PartnerIdentity } from "./AcceptedKeys.ts"
import { cacheMillis, makeKeyLookUp } from "./makeKeyLookUp.ts"

const capacity = 20_000

/** Resolves `cv-api-key` to its partner. The key of a disabled organization is invalid. */
export class KeyResolver extends Context.Service<
  KeyResolver,
  {
    readonly resolve: (key: string | undefined) => Effect.Effect<PartnerIdentity, KeyMissing | KeyInvalid>
  }
>()("@care/gateway/keys/KeyResolver") {
  static readonly layer = Layer.effect(
    KeyResolver,
    Effect.gen(function* () {
      const auth = yield* peer(AuthApi, "directory")
      const lookUp = makeKeyLookUp(
        (hash) => auth.resolveKey({ payload: { keyHash: hash } }).pipe(Effect.catchTags(unexpected)),
        capacity
      )

      // A failure to reach auth is not cached.
      const cache = yield* Cache.makeWith(lookUp, {
        capacity,
        timeToLive: Exit.match({
          onSuccess: ({ forMillis }) => forMillis,
          onFailure: (cause) => (Cause.hasDies(cause) ? 0 : cacheMillis)
        })
      })

      return KeyResolver.of({
        resolve: (key) => {
          if (key === undefined || key.trim() === "") return new KeyMissing({ isBlank: key !== undefined })
          const hash = keyHash(key)
          const invalid = (isDisabled: boolean) => () => new KeyInvalid({ keyHash: hash.slice(0, 12), isDisabled })
          return Cache.get(cache, hash).pipe(
            Effect.map(({ identity }) => identity),
            Effect.catchTags({ KeyNotRecognized: invalid(false), OrganizationDisabled: invalid(true) })
          )
        }
      })
    })
  )
}
