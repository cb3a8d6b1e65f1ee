import { AuthApi, type KeyNotRecognized, type OrganizationDisabled, type ResolvedKey } from "@care/domain/auth"
import { KeyInvalid, KeyMissing } from "@care/domain/http"
import { keyHash, peer, unexpected } from "@care/service-kit"
import { Cache, Context, Effect, Exit, Layer } from "effect"

/** Resolves `cv-api-key` to its organization. The key of a disabled organization is an invalid key. */
export class KeyResolver extends Context.Service<
  KeyResolver,
  {
    readonly resolve: (key: string | undefined) => Effect.Effect<ResolvedKey, KeyMissing | KeyInvalid>
  }
>()("@care/gateway/keys/KeyResolver") {
  static readonly layer = Layer.effect(
    KeyResolver,
    Effect.gen(function* () {
      const auth = yield* peer(AuthApi, "directory")

      // A revoked key must stop working everywhere within 5 seconds; what auth did not answer is not kept at all.
      const known = yield* Cache.makeWith(
        (hash: string) => auth.resolveKey({ payload: { keyHash: hash } }).pipe(Effect.catchTags(unexpected)),
        {
          capacity: 20_000,
          timeToLive: (exit: Exit.Exit<ResolvedKey, KeyNotRecognized | OrganizationDisabled>) =>
            Exit.isFailure(exit) && Exit.hasDies(exit) ? "0 millis" : "3 seconds"
        }
      )

      return KeyResolver.of({
        resolve: Effect.fnUntraced(function* (key) {
          if (key === undefined || key.trim() === "") return yield* new KeyMissing({ isBlank: key !== undefined })
          const hash = keyHash(key)
          const invalid = (isDisabled: boolean) => () => new KeyInvalid({ keyHash: hash.slice(0, 12), isDisabled })
          return yield* Cache.get(known, hash).pipe(
            Effect.catchTags({ KeyNotRecognized: invalid(false), OrganizationDisabled: invalid(true) })
          )
        })
      })
    })
  )
}
