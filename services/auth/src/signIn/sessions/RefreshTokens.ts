import { randomBytes, randomUUID } from "node:crypto"
import { currentProvenance } from "@care/audit"
import {
  RefreshLifetimeExceeded,
  RefreshTokenExpired,
  RefreshTokenForeign,
  RefreshTokenReused,
  RefreshTokenUnknown,
  SignedInUserGone
} from "@care/domain/auth"
import { type OrganizationId, SessionId, type UserId } from "@care/domain/ids"
import { keyHash, Time } from "@care/service-kit"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { makeRefreshTokensRepo, type RotatedToken } from "./RefreshTokensRepo.ts"

/** A new refresh token, with its session. The token itself is shown only here. */
export interface IssuedToken {
  readonly sessionId: SessionId
  readonly token: string
  /** 30 days from now, and 90 days after the sign-in at the latest. */
  readonly expiresAt: Date
}

export type RefreshRefusal =
  | RefreshTokenUnknown
  | RefreshTokenForeign
  | RefreshTokenReused
  | RefreshTokenExpired
  | RefreshLifetimeExceeded
  | SignedInUserGone

const slidingMillis = Duration.toMillis("30 days")
const absoluteMillis = Duration.toMillis("90 days")

const later = (now: Date, millis: number) => new Date(now.getTime() + millis)
const earlierOf = (a: Date, b: Date) => (a < b ? a : b)
const makeToken = () => randomBytes(32).toString("base64url")

/** Refresh tokens: opaque, stored as hashes, rotated on each use. The tokens of one sign-in are a family. */
export class RefreshTokens extends Context.Service<
  RefreshTokens,
  {
    /** Starts a family with its first token. */
    readonly start: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<IssuedToken, SignedInUserGone>
    /** Exchanges a token for the next of its family. A token that was used or revoked before revokes the family. */
    readonly rotate: (
      organizationId: OrganizationId,
      token: string
    ) => Effect.Effect<IssuedToken & RotatedToken, RefreshRefusal>
    /** Revokes the family of a token of the organization. Ignores an unknown token. */
    readonly revoke: (organizationId: OrganizationId, token: string) => Effect.Effect<void>
    readonly isLiving: (organizationId: OrganizationId, sessionId: SessionId) => Effect.Effect<boolean>
    /** Revokes all families of a patient, inside the caller's transaction if there is one. */
    readonly revokeAll: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<void>
  }
>()("@care/auth/sessions/RefreshTokens") {
  static readonly layer = Layer.effect(
    RefreshTokens,
    Effect.gen(function* () {
      const repo = yield* makeRefreshTokensRepo

      const refusal = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        presentedHash: string,
        now: Date
      ): Effect.fn.Return<RefreshRefusal> {
        const stored = yield* repo.find(presentedHash)
        if (Option.isNone(stored)) return new RefreshTokenUnknown()
        const { absoluteExpiresAt, expiresAt, familyId, isRevoked } = stored.value
        if (stored.value.organizationId !== organizationId) return new RefreshTokenForeign()
        if (isRevoked) {
          yield* repo.revokeFamily(organizationId, familyId, now)
          return new RefreshTokenReused()
        }
        if (expiresAt <= now) return new RefreshTokenExpired()
        return absoluteExpiresAt <= now ? new RefreshLifetimeExceeded() : new SignedInUserGone()
      })

      return RefreshTokens.of({
        start: Effect.fn("RefreshTokens.start")(function* (organizationId, userId) {
          const now = yield* Time.nowAsDate
          const token = makeToken()
          const expiresAt = later(now, slidingMillis)
          const sessionId = SessionId.make(randomUUID())
          const isStored = yield* repo.insertFamily({
            id: sessionId,
            organizationId,
            userId,
            createdAt: now,
            absoluteExpiresAt: later(now, absoluteMillis),
            tokenHash: keyHash(token),
            expiresAt
          })
          return isStored ? { sessionId, token, expiresAt } : yield* new SignedInUserGone()
        }),
        rotate: Effect.fn("RefreshTokens.rotate")(function* (organizationId, presented) {
          const now = yield* Time.nowAsDate
          const token = makeToken()
          const expiresAt = later(now, slidingMillis)
          const presentedHash = keyHash(presented)
          const rotated = yield* repo.rotate({
            provenance: yield* currentProvenance,
            organizationId,
            presentedHash,
            tokenHash: keyHash(token),
            now,
            expiresAt
          })
          if (Option.isNone(rotated)) return yield* yield* refusal(organizationId, presentedHash, now)
          return { ...rotated.value, token, expiresAt: earlierOf(expiresAt, rotated.value.absoluteExpiresAt) }
        }),
        revoke: Effect.fn("RefreshTokens.revoke")(function* (organizationId, token) {
          yield* repo.revokeFamilyOf(organizationId, keyHash(token), yield* currentProvenance)
        }),
        isLiving: repo.isLiving,
        revokeAll: Effect.fn("RefreshTokens.revokeAll")(function* (organizationId, userId) {
          yield* repo.revokeFamiliesOf(organizationId, userId, yield* Time.nowAsDate)
        })
      })
    })
  )
}
