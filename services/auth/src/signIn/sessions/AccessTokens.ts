import { createHash, createSecretKey, randomUUID } from "node:crypto"
import { firstCell } from "@care/domain/cells"
import { AccessClaims, AccessTokenRejected, type VerifiedClaims } from "@care/domain/http"
import { SessionId } from "@care/domain/ids"
import { cellSetting, readSettings, Time } from "@care/service-kit"
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { jwtVerify, SignJWT } from "jose"
import { jwtSecrets } from "../../jwtSecrets.ts"

export const accessTokenSeconds = 900

const issuer = "partner-care-api"
const algorithm = "HS512"

const decodeClaims = Schema.decodeUnknownOption(AccessClaims)
const decodeSessionId = Schema.decodeUnknownOption(SessionId)

// The id of a token begins with the id of its session, which has no documented claim.
const tokenId = (sessionId: SessionId) => `${sessionId}.${randomUUID()}`
const sessionIdOf = (jti: string | undefined) => decodeSessionId(jti?.split(".", 1)[0])

const signingKey = (secret: Redacted.Redacted) => ({
  kid: createHash("sha256").update(Redacted.value(secret)).digest("hex").slice(0, 16),
  key: createSecretKey(Redacted.value(secret), "utf8")
})

/**
 * Mints and verifies patients' access tokens: JWT signed with HS512, with `iss`, `iat`, `exp` and `jti` in addition to the claims.
 * `JWT_SECRET` is one secret or several, separated by commas: the first signs, all verify, and `kid` tells which one.
 */
export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    readonly mint: (claims: VerifiedClaims) => Effect.Effect<string>
    /**
     * Returns the claims of a token. Refuses other algorithms than HS512, unknown keys, other issuers, types and cells, and expired
     * tokens.
     */
    readonly verify: (token: string) => Effect.Effect<VerifiedClaims, AccessTokenRejected>
  }
>()("@care/auth/signIn/sessions/AccessTokens") {
  static readonly layer = Layer.effect(
    AccessTokens,
    Effect.gen(function* () {
      const ownCell = yield* readSettings(cellSetting)
      const [first, ...others] = yield* jwtSecrets
      const current = signingKey(first)
      const keys = new Map([current, ...others.map(signingKey)].map(({ kid, key }) => [kid, key]))

      const verified = (token: string, now: number) =>
        jwtVerify(
          token,
          ({ kid = "" }) => {
            const key = keys.get(kid)
            if (key === undefined) throw new Error("No such key")
            return key
          },
          {
            algorithms: [algorithm],
            issuer,
            requiredClaims: ["iat", "exp", "jti"],
            currentDate: new Date(now)
          }
        )

      return AccessTokens.of({
        mint: Effect.fn("AccessTokens.mint")(function* ({ sessionId, ...claims }) {
          const now = Math.floor((yield* Time.nowMillis) / 1000)
          return yield* Effect.promise(() =>
            new SignJWT({ ...claims, ...(ownCell !== firstCell && { cell: ownCell }) })
              .setProtectedHeader({ alg: algorithm, typ: "JWT", kid: current.kid })
              .setIssuer(issuer)
              .setIssuedAt(now)
              .setExpirationTime(now + accessTokenSeconds)
              .setJti(tokenId(sessionId))
              .sign(current.key)
          )
        }),
        verify: Effect.fn("AccessTokens.verify")(function* (token) {
          const now = yield* Time.nowMillis
          const { payload } = yield* Effect.tryPromise({
            try: () => verified(token, now),
            catch: () => new AccessTokenRejected()
          })
          const claims = decodeClaims(payload)
          const sessionId = sessionIdOf(payload.jti)
          if (Option.isNone(claims) || Option.isNone(sessionId)) return yield* new AccessTokenRejected()
          const { cell = firstCell, ...ofPatient } = claims.value
          return cell === ownCell ? { ...ofPatient, sessionId: sessionId.value } : yield* new AccessTokenRejected()
        })
      })
    })
  )
}
