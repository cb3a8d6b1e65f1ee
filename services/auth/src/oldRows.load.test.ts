import { randomUUID } from "node:crypto"
import { MessageId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { removeOldRows } from "@care/service-kit"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { layerBase, layerSettings, makePatient } from "../test/layerAuth.ts"
import { Delivery } from "./messages/Delivery.ts"
import { oldRows } from "./oldRows.ts"
import { CodeRequests } from "./signIn/codes/CodeRequests.ts"
import { CodeSending } from "./signIn/codes/CodeSending.ts"
import { OneTimeCodes } from "./signIn/codes/OneTimeCodes.ts"
import { RefreshTokens } from "./signIn/sessions/RefreshTokens.ts"

const requests = CodeRequests.layer.pipe(Layer.provide(CodeSending.layer), Layer.provide(layerIdleJobs))

const TestLayer = Layer.mergeAll(OneTimeCodes.layer, requests, RefreshTokens.layer, Delivery.layer).pipe(
  Layer.provide(layerSettings()),
  Layer.provideMerge(layerBase)
)

layer(TestLayer)("oldRows", (it) => {
  it.effect("removes old rows with the rows that refer to them, and nothing else", () =>
    Effect.gen(function* () {
      const run = removeOldRows(oldRows)
      const sql = yield* SqlClient.SqlClient
      const counts = Effect.gen(function* () {
        const [row] = yield* sql<Record<"codes" | "requests" | "families" | "tokens" | "messages", number>>`
          SELECT (SELECT count(*)::int FROM one_time_codes WHERE expires_at <> 'infinity') AS codes,
                 (SELECT count(*)::int FROM code_requests WHERE requested_at <> 'infinity') AS requests,
                 (SELECT count(*)::int FROM refresh_token_families) AS families,
                 (SELECT count(*)::int FROM refresh_tokens) AS tokens,
                 (SELECT count(*)::int FROM messages) AS messages
        `
        return row
      })
      const placeholders = sql`
        SELECT user_id::text FROM one_time_codes WHERE expires_at = 'infinity'
        UNION ALL SELECT identifier_hash FROM code_requests WHERE requested_at = 'infinity'
      `
      const signIn = Effect.gen(function* () {
        const { organizationId, patient, userId } = yield* makePatient
        const request = { organizationId, identifier: patient.email, requestedAt: yield* DateTime.nowAsDate }
        yield* (yield* CodeRequests).ask(organizationId, patient.email)
        yield* (yield* OneTimeCodes).issue(randomUUID(), request)
        const id = MessageId.make(randomUUID())
        yield* (yield* Delivery).send({
          organizationId,
          userId,
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
      assert.deepStrictEqual(yield* counts, { codes: 1, requests: 1, families: 2, tokens: 3, messages: 1 })
      // Codes that expired less than a day ago still count against their patient's caps.
      yield* TestClock.adjust("23 hours")
      yield* run
      assert.deepStrictEqual(yield* counts, { codes: 1, requests: 1, families: 2, tokens: 3, messages: 1 })
      // A session that expired less than 30 days ago is still there, for the answer to a late refresh.
      yield* TestClock.adjust("58 days")
      yield* run
      assert.deepStrictEqual(yield* counts, { codes: 0, requests: 0, families: 2, tokens: 3, messages: 0 })
      yield* TestClock.adjust("2 days")
      yield* run
      assert.deepStrictEqual(yield* counts, { codes: 0, requests: 0, families: 0, tokens: 0, messages: 0 })
      assert.strictEqual((yield* placeholders).length, 128)
    })
  )

  it.effect("reads no rows that are not old", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { organizationId, userId } = yield* makePatient
      const tables = [...new Set(["refresh_tokens", ...oldRows.map(({ table }) => table)])]
      const numbers = sql`generate_series(1, 4000) n`
      const now = sql`${yield* DateTime.nowAsDate}::timestamptz`
      yield* sql`
        INSERT INTO one_time_codes (organization_id, user_id, id, max_attempts, expires_at, next_code_at)
        SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 5, ${now}, ${now} FROM ${numbers}
      `
      yield* sql`INSERT INTO code_requests SELECT gen_random_uuid(), '', ${now} FROM ${numbers}`
      yield* sql`
        WITH families AS (
          INSERT INTO refresh_token_families (organization_id, id, user_id, created_at, absolute_expires_at, expires_at)
          SELECT ${organizationId}::uuid, gen_random_uuid(), ${userId}::uuid, ${now}, ${now}, ${now} FROM ${numbers}
          RETURNING organization_id, id
        )
        INSERT INTO refresh_tokens (organization_id, token_hash, family_id, created_at, expires_at)
        SELECT organization_id, gen_random_uuid(), id, ${now}, ${now} FROM families
      `
      yield* sql`
        INSERT INTO messages (organization_id, id, channel, receiver, text, created_at)
        SELECT gen_random_uuid(), gen_random_uuid(), 'EMAIL', '', '', ${now} FROM ${numbers}
      `
      yield* sql`ANALYZE`
      const clean = readsOf(tables, removeOldRows(oldRows))
      assert.isBelow(yield* clean, 100)
      yield* TestClock.adjust("31 days")
      assert.isAtLeast(yield* clean, 4 * 4000)
    })
  )
})
