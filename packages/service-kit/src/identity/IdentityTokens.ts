import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto"
import { Identity } from "@care/domain/http"
import { Clock, Context, Data, Effect, Layer, Metric, Option, Redacted, Schema } from "effect"
import { cellSetting } from "../config/cellSetting.ts"
import { ServiceConfig } from "../config/ServiceConfig.ts"
import type { SecretList } from "../config/secrets.ts"
import { readSettings } from "../config/settings.ts"

/** The header that marks the answer to an internal call as `ClockSkew`, with the seconds. */
export const clockSkewHeader = "x-care-clock-skew"

/** The header that marks the answer to an internal call as `WrongCell`, with both cells. */
export const wrongCellHeader = "x-care-wrong-cell"

/**
 * The clocks of two processes differ. By the identity token of a call, the clock of the called process is `seconds` ahead of the caller's.
 */
export class ClockSkew extends Data.TaggedError("ClockSkew")<{ readonly seconds: number }> {
  override get message() {
    return `The clocks of two processes differ: the identity token of a call was ${this.seconds} s old when it came, and lives 30 s. Set the clocks by NTP (or the call waited for so long)`
  }
}

/** A service was called by another name of its cell than it has. */
export class WrongCell extends Data.TaggedError("WrongCell")<{ readonly own: string; readonly called: string }> {
  override get message() {
    return `A service has CELL=${this.own}, but its caller calls it a service of the cell ${this.called}, so that it refuses all calls. Correct its CELL, or CELLS of the gateway`
  }
}

/** Why a process refuses a call, although it is signed. */
export type IdentityRefusal = ClockSkew | WrongCell

/** Returns the header that tells the caller of a refusal. */
export const refusalHeader = (refusal: IdentityRefusal): Readonly<Record<string, string>> =>
  refusal._tag === "ClockSkew"
    ? { [clockSkewHeader]: String(refusal.seconds) }
    : { [wrongCellHeader]: `${refusal.own} ${refusal.called}` }

/** Returns the refusal that an answer tells of, or undefined. */
export const refusalIn = (headers: Readonly<Record<string, unknown>>): IdentityRefusal | undefined => {
  const { [clockSkewHeader]: seconds, [wrongCellHeader]: cells } = headers
  if (seconds !== undefined) return new ClockSkew({ seconds: Number(seconds) })
  if (cells === undefined) return undefined
  const [own = "", called = ""] = String(cells).split(" ")
  return new WrongCell({ own, called })
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

const Claims = Schema.fromJsonString(
  Schema.Struct({ identity: Identity, expiresAt: Schema.Number, cell: Schema.optionalKey(Schema.String) })
)
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
    /**
     * Returns the identity of a valid token. An expired one was signed by a process with another clock, and fails with `ClockSkew`; one for
     * another cell fails with `WrongCell`.
     */
    readonly verify: (token: string | undefined) => Effect.Effect<Identity | undefined, IdentityRefusal>
  }
>()("@care/service-kit/identity/IdentityTokens") {
  /** Makes the tokens of one `INTERNAL_SECRET`, which name the cell. */
  static readonly make = ([first, ...others]: SecretList, cell?: string) => {
    const keyOf = (secret: Redacted.Redacted) => createSecretKey(Redacted.value(secret), "utf8")
    const signingKey = keyOf(first)
    const keys = [signingKey, ...others.map(keyOf)]
    const sign = (claims: string, key: KeyObject) => createHmac("sha256", key).update(claims).digest()

    const minted = new WeakMap<Identity, { readonly token: string; readonly reusedUntil: number }>()
    const verified = new Map<string, typeof Claims.Type>()

    const mint = (identity: Identity, now: number): string => {
      const claims = Buffer.from(JSON.stringify({ identity, expiresAt: now + lifetimeMillis, cell })).toString(
        "base64url"
      )
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
        if (ageMillis >= lifetimeMillis) return yield* skew
        if (cell === undefined || claims.cell === undefined || claims.cell === cell) return claims.identity
        const wrongCell = new WrongCell({ own: cell, called: claims.cell })
        if (cached === undefined) yield* Effect.logError(wrongCell.message)
        return yield* wrongCell
      })
    })
  }

  static readonly layer = Layer.effect(
    IdentityTokens,
    Effect.gen(function* () {
      const { internalSecrets } = yield* ServiceConfig
      return IdentityTokens.make(internalSecrets, yield* readSettings(cellSetting))
    })
  )
}
