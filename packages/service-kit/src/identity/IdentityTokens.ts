import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto"
import { Identity } from "@care/domain/http"
import { Clock, Context, Data, Effect, Layer, Metric, Option, Redacted, Schema } from "effect"
import { ServiceConfig } from "../config/ServiceConfig.ts"
import type { SecretList } from "../config/secrets.ts"

/** The header that marks the answer to an internal call as `ClockSkew`, with the seconds. */
export const clockSkewHeader = "x-care-clock-skew"

/**
 * The clocks of two processes differ. By the identity token of a call, the clock of the called process is `seconds` ahead of the caller's.
 */
export class ClockSkew extends Data.TaggedError("ClockSkew")<{ readonly seconds: number }> {
  override get message() {
    return `The clocks of two processes differ: the identity token of a call was ${this.seconds} s old when it came, and lives 30 s. Set the clocks by NTP (or the call waited for so long)`
  }
}

export const identityHeader = "x-care-identity"

const lifetimeMillis = 30_000

// How long an identity gets the same token again, so that not every call needs a signature.
const reuseMillis = 10_000

// The capacity of the cache of verified tokens, which is cleared when it is full.
const maxVerifiedTokens = 1000

const skewCounter = Metric.counter("clock_skew_total", {
  description:
    "Internal calls whose identity token was made more than 30 seconds ago, or is of the future, by the clock here",
  incremental: true
})

// A caller whose clock is ahead is accepted, because its token only lives longer. Calls in the other direction are refused.
const report = (skew: ClockSkew) =>
  Effect.andThen(
    Metric.update(skewCounter, 1),
    Effect.logError(
      skew.seconds > 0
        ? skew.message
        : `The clocks of two processes differ: the identity token of a call is of ${-skew.seconds} s from now. Set the clocks by NTP`
    )
  )

const Claims = Schema.fromJsonString(Schema.Struct({ identity: Identity, expiresAt: Schema.Number }))
const decodeClaims = Schema.decodeUnknownOption(Claims)

/**
 * Mints and verifies the tokens by which an internal call says on whose behalf it is made. A token is
 * `<base64url of the claims>.<base64url of their HMAC-SHA256>` and lives 30 seconds. The first secret of `INTERNAL_SECRET` signs, and
 * all verify. Both ends are this code, so the token needs no algorithm header, and a JWT library would only add one
 * (docs/decisions/0004-identity-token.md).
 */
export class IdentityTokens extends Context.Service<
  IdentityTokens,
  {
    readonly mint: (identity: Identity) => Effect.Effect<string>
    /** Returns the identity of a valid token. An expired one was signed by a process with another clock, and fails with `ClockSkew`. */
    readonly verify: (token: string | undefined) => Effect.Effect<Identity | undefined, ClockSkew>
  }
>()("@care/service-kit/identity/IdentityTokens") {
  /** Makes the tokens of one `INTERNAL_SECRET`. */
  static readonly make = ([first, ...others]: SecretList) => {
    const keyOf = (secret: Redacted.Redacted) => createSecretKey(Redacted.value(secret), "utf8")
    const signingKey = keyOf(first)
    const keys = [signingKey, ...others.map(keyOf)]
    const sign = (claims: string, key: KeyObject) => createHmac("sha256", key).update(claims).digest()

    const minted = new WeakMap<Identity, { readonly token: string; readonly reusedUntil: number }>()
    const verified = new Map<string, typeof Claims.Type>()

    const mint = (identity: Identity, now: number): string => {
      const claims = Buffer.from(JSON.stringify({ identity, expiresAt: now + lifetimeMillis })).toString("base64url")
      const token = `${claims}.${sign(claims, signingKey).toString("base64url")}`
      minted.set(identity, { token, reusedUntil: now + reuseMillis })
      return token
    }

    const verify = (token: string): typeof Claims.Type | undefined => {
      const [claims, signature, ...extraParts] = token.split(".")
      if (claims === undefined || signature === undefined || extraParts.length > 0) return undefined
      const actual = Buffer.from(signature, "base64url")
      const isSignedWith = (key: KeyObject) => {
        const expected = sign(claims, key)
        return actual.length === expected.length && timingSafeEqual(actual, expected)
      }
      if (!keys.some(isSignedWith)) return undefined
      const decoded = Option.getOrUndefined(decodeClaims(Buffer.from(claims, "base64url").toString()))
      if (decoded !== undefined) {
        if (verified.size === maxVerifiedTokens) verified.clear()
        verified.set(token, decoded)
      }
      return decoded
    }

    return IdentityTokens.of({
      mint: (identity) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const cached = minted.get(identity)
          return cached !== undefined && now < cached.reusedUntil ? cached.token : mint(identity, now)
        }),
      verify: Effect.fnUntraced(function* (token = "") {
        const now = yield* Clock.currentTimeMillis
        const cached = verified.get(token)
        const claims = cached ?? verify(token)
        if (claims === undefined) return undefined
        const ageMillis = now - (claims.expiresAt - lifetimeMillis)
        const skew = new ClockSkew({ seconds: Math.round(ageMillis / 1000) })
        // A token comes many times, and is logged the first time only.
        if (cached === undefined && Math.abs(ageMillis) >= lifetimeMillis) yield* report(skew)
        return ageMillis < lifetimeMillis ? claims.identity : yield* skew
      })
    })
  }

  static readonly layer = Layer.effect(
    IdentityTokens,
    Effect.map(ServiceConfig, ({ internalSecrets }) => IdentityTokens.make(internalSecrets))
  )
}
