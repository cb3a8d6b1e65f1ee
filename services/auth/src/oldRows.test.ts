import { randomUUID } from "node:crypto"
import { MessageId } from "@care/domain/ids"
import { removeOldRows } from "@care/service-kit"
import { layerIdleJobs } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { layerBase, layerSettings, makePatient } from "../test/layerAuth.ts"
import { CodeRequests } from "./codes/CodeRequests.ts"
import { CodeSending } from "./codes/CodeSending.ts"
import { OneTimeCodes } from "./codes/OneTimeCodes.ts"
import { Delivery } from "./messages/Delivery.ts"
import { oldRows } from "./oldRows.ts"
import { RefreshTokens } from "./sessions/RefreshTokens.ts"

const requests = CodeRequests.layer.pipe(Layer.provide(CodeSending.layer), Layer.provide(layerIdleJobs))

const TestLayer = Layer.mergeAll(OneTimeCodes.layer, requests, RefreshTokens.layer, Delivery.layer).pipe(
  Layer.provide(layerSettings()),
  Layer.provideMerge(layerBase)
)

layer(TestLayer)("oldRows", (it) => {
  it.effect("removes what is old, with everything that hangs on it, and nothing else", () =>
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
      // Expired for less than a day: what was counted of its patient still counts against the caps.
      yield* TestClock.adjust("23 hours")
      yield* run
      assert.deepStrictEqual(yield* counts, { codes: 1, requests: 1, families: 2, tokens: 3, messages: 1 })
      // Expired for less than 30 days: whoever comes late is still told so.
      yield* TestClock.adjust("58 days")
      yield* run
      assert.deepStrictEqual(yield* counts, { codes: 0, requests: 0, families: 2, tokens: 3, messages: 0 })
      yield* TestClock.adjust("2 days")
      yield* run
      assert.deepStrictEqual(yield* counts, { codes: 0, requests: 0, families: 0, tokens: 0, messages: 0 })
      assert.strictEqual((yield* placeholders).length, 128)
    })
  )
})
