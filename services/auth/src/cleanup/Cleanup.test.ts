import { randomUUID } from "node:crypto"
import { MessageId } from "@care/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { layerBase, layerSettings, makePatient } from "../../test/layerAuth.ts"
import { OneTimeCodes } from "../codes/OneTimeCodes.ts"
import { Delivery } from "../messages/Delivery.ts"
import { RefreshTokens } from "../sessions/RefreshTokens.ts"
import { Cleanup } from "./Cleanup.ts"

const TestLayer = Layer.mergeAll(Cleanup.layer, OneTimeCodes.layer, RefreshTokens.layer, Delivery.layer).pipe(
  Layer.provide(layerSettings()),
  Layer.provideMerge(layerBase)
)

layer(TestLayer)("Cleanup", (it) => {
  it.effect("removes what is old, with everything that hangs on it, and nothing else", () =>
    Effect.gen(function* () {
      const { run } = yield* Cleanup
      const sql = yield* SqlClient.SqlClient
      const counts = Effect.gen(function* () {
        const [row] = yield* sql<{ codes: number; families: number; tokens: number; messages: number }>`
          SELECT (SELECT count(*)::int FROM one_time_codes WHERE identifier <> '') AS codes,
                 (SELECT count(*)::int FROM refresh_token_families) AS families,
                 (SELECT count(*)::int FROM refresh_tokens) AS tokens,
                 (SELECT count(*)::int FROM messages) AS messages
        `
        return row
      })
      const placeholders = sql`SELECT user_id FROM one_time_codes WHERE identifier = ''`
      const signIn = Effect.gen(function* () {
        const { organizationId, patient, userId } = yield* makePatient
        const request = { organizationId, identifier: patient.email, requestedAt: yield* DateTime.nowAsDate }
        yield* (yield* OneTimeCodes).issue(randomUUID(), request)
        const id = MessageId.make(randomUUID())
        yield* (yield* Delivery).send({
          organizationId,
          id,
          channel: "EMAIL",
          to: patient.email,
          subject: "s",
          text: "t"
        })
        return { organizationId, first: yield* (yield* RefreshTokens).start(organizationId, userId) }
      })

      const { first, organizationId } = yield* signIn
      yield* TestClock.adjust("8 days")
      yield* (yield* RefreshTokens).rotate(organizationId, first.token)
      yield* signIn
      yield* run
      assert.deepStrictEqual(yield* counts, { codes: 1, families: 2, tokens: 3, messages: 1 })
      // Expired for less than 30 days: whoever comes late is still told so.
      yield* TestClock.adjust("59 days")
      yield* run
      assert.deepStrictEqual(yield* counts, { codes: 0, families: 2, tokens: 3, messages: 0 })
      yield* TestClock.adjust("2 days")
      yield* run
      assert.deepStrictEqual(yield* counts, { codes: 0, families: 0, tokens: 0, messages: 0 })
      assert.strictEqual((yield* placeholders).length, 64)
    })
  )
})
