import type { OrganizationId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { layerBase, makePatient } from "../../../test/layerAuth.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { Members } from "../../people/members/Members.ts"
import { RefreshTokens } from "./RefreshTokens.ts"

const TestLayer = RefreshTokens.layer.pipe(Layer.merge(Members.layer), Layer.provideMerge(layerBase))

layer(TestLayer, { timeout: "60 seconds" })("RefreshTokens", (it) => {
  const signedIn = Effect.gen(function* () {
    const patient = yield* makePatient
    const first = yield* (yield* RefreshTokens).start(patient.organizationId, patient.userId)
    return { ...patient, first }
  })

  const rotate = (organizationId: OrganizationId, token: string) =>
    Effect.flatMap(RefreshTokens, (tokens) => tokens.rotate(organizationId, token))
  const refusal = (organizationId: OrganizationId, token: string) =>
    Effect.map(Effect.flip(rotate(organizationId, token)), ({ _tag }) => _tag)

  it.effect("a token is 32 random bytes, and stored only as its hash", () =>
    Effect.gen(function* () {
      const { first, organizationId } = yield* signedIn
      assert.strictEqual(Buffer.from(first.token, "base64url").length, 32)
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ tokenHash: string }>`
        SELECT * FROM refresh_tokens WHERE organization_id = ${organizationId}
      `
      assert.strictEqual(rows.length, 1)
      assert.match(rows[0]?.tokenHash ?? "", /^[0-9a-f]{128}$/)
      assert.notInclude(JSON.stringify(rows), first.token)
    })
  )

  it.effect("each token works once and gives the next, for the same patient", () =>
    Effect.gen(function* () {
      const { first, organizationId, userId } = yield* signedIn
      const second = yield* rotate(organizationId, first.token)
      const third = yield* rotate(organizationId, second.token)
      assert.deepStrictEqual([second.userId, third.userId], [userId, userId])
      assert.strictEqual(new Set([first.token, second.token, third.token]).size, 3)
    })
  )

  it.effect(
    "20 callers present one token: exactly one wins, and the family is revoked, but no other of the patient",
    () =>
      Effect.gen(function* () {
        for (let round = 0; round < 10; round += 1) {
          const { first, organizationId, userId } = yield* signedIn
          const other = yield* (yield* RefreshTokens).start(organizationId, userId)
          const rotation = Effect.result(rotate(organizationId, first.token))
          const results = yield* Effect.replicateEffect(rotation, 20, { concurrency: "unbounded" })
          const winners = results.flatMap((result) => (result._tag === "Success" ? [result.success] : []))
          const losers = results.flatMap((result) => (result._tag === "Failure" ? [result.failure._tag] : []))
          assert.strictEqual(winners.length, 1)
          assert.deepStrictEqual(new Set(losers), new Set(["RefreshTokenReused"]))
          assert.strictEqual(yield* refusal(organizationId, winners[0]?.token ?? ""), "RefreshTokenReused")
          yield* rotate(organizationId, other.token)
        }
      })
  )

  it.effect("no rotation slips past a revocation that happens at the same time", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 25; round += 1) {
        const { first, organizationId } = yield* signedIn
        const second = yield* rotate(organizationId, first.token)
        const [rotated] = yield* Effect.all(
          [Effect.result(rotate(organizationId, second.token)), Effect.flip(rotate(organizationId, first.token))],
          { concurrency: "unbounded" }
        )
        const newest = rotated._tag === "Success" ? rotated.success.token : second.token
        assert.strictEqual(yield* refusal(organizationId, newest), "RefreshTokenReused")
      }
    })
  )

  it.effect("sliding expiry: 30 days after it was issued a token is refused, a millisecond earlier it works", () =>
    Effect.gen(function* () {
      const { first, organizationId, userId } = yield* signedIn
      const other = yield* (yield* RefreshTokens).start(organizationId, userId)
      const now = yield* DateTime.now
      assert.deepStrictEqual(first.expiresAt, DateTime.toDateUtc(DateTime.add(now, { days: 30 })))
      yield* TestClock.adjust("2591999999 millis")
      yield* rotate(organizationId, first.token)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* refusal(organizationId, other.token), "RefreshTokenExpired")
    })
  )

  it.effect("absolute expiry: 90 days after the sign-in, however often it was refreshed, and not earlier", () =>
    Effect.gen(function* () {
      const { first, organizationId } = yield* signedIn
      const end = DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { days: 90 }))
      let token = first
      for (let month = 0; month < 4; month += 1) {
        yield* TestClock.adjust("20 days")
        token = yield* rotate(organizationId, token.token)
      }
      assert.deepStrictEqual(token.expiresAt, end)
      yield* TestClock.adjust("863999999 millis")
      token = yield* rotate(organizationId, token.token)
      assert.deepStrictEqual(token.expiresAt, end)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* refusal(organizationId, token.token), "RefreshLifetimeExceeded")
    })
  )

  it.effect("an unknown token and another organization's are refused, which changes nothing", () =>
    Effect.gen(function* () {
      const { first, organizationId } = yield* signedIn
      const other = yield* (yield* Organizations).create("Other clinic")
      assert.strictEqual(yield* refusal(organizationId, "never issued"), "RefreshTokenUnknown")
      assert.strictEqual(yield* refusal(other.id, first.token), "RefreshTokenForeign")
      yield* (yield* RefreshTokens).revoke(other.id, first.token)
      yield* rotate(organizationId, first.token)
    })
  )

  it.effect("a deleted user's token is refused at the next refresh", () =>
    Effect.gen(function* () {
      const { first, organizationId, userId } = yield* signedIn
      yield* (yield* Members).removeUser(userId)
      assert.strictEqual(yield* refusal(organizationId, first.token), "SignedInUserGone")
    })
  )

  it.effect("signing out ends the family; an unknown token is no error", () =>
    Effect.gen(function* () {
      const tokens = yield* RefreshTokens
      const { first, organizationId } = yield* signedIn
      const second = yield* rotate(organizationId, first.token)
      yield* tokens.revoke(organizationId, second.token)
      yield* tokens.revoke(organizationId, "never issued")
      assert.strictEqual(yield* refusal(organizationId, second.token), "RefreshTokenReused")
    })
  )
})
