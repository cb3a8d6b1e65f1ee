import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import findOlderIntents from "../../migrations/0064_find_older_intents_without_payment.ts"
import { anyIntentState } from "../../test/anyIntentState.ts"
import { statusOf } from "../payments/paymentState.ts"
import { emptyIntentState } from "../stripe/IntentState.ts"

layer(layerAuditedDatabase("payments"), { excludeTestServices: true })("intents that were known before 0029", (it) => {
  const organizationId = randomUUID()
  const insertIntent = (id: string, facts: object, owner: string | null = organizationId) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`
        INSERT INTO payment_intents (id, organization_id, facts, updated_at)
        VALUES (${id}, ${owner}, ${JSON.stringify(facts)}::jsonb, '2026-01-02')
      `
    )
  const noted = Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ id: string; since: Date }>`
      SELECT id, unclaimed_since AS since FROM payment_intents WHERE unclaimed_since IS NOT NULL ORDER BY id
    `
  )
  const forget = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`TRUNCATE payment_intents`)

  it.effect("are noted when they have money and pay nothing here, whatever was told of them", () =>
    Effect.gen(function* () {
      yield* forget
      const all = fc.sample(anyIntentState, 400).map((facts, n) => ({ id: `pi_${String(n).padStart(4, "0")}`, facts }))
      for (const { facts, id } of all) yield* insertIntent(id, facts)
      yield* findOlderIntents.change
      const expected = all.filter(({ facts }) => ["AUTHORIZED", "PAID", "IN_DISPUTE"].includes(statusOf(facts)))
      assert.isAbove(expected.length, 20)
      assert.deepStrictEqual(
        (yield* noted).map(({ id, since }) => [id, since.getTime()]),
        expected.map(({ facts: { worth }, id }) => [id, worth === null ? Date.UTC(2026, 0, 2) : worth.asOf * 1000])
      )
    })
  )

  it.effect(
    "are not noted when a payment names them, when nobody's, and when a dispute was kept in its older form",
    () =>
      Effect.gen(function* () {
        yield* forget
        const sql = yield* SqlClient.SqlClient
        const paid = { ...emptyIntentState, isPaid: true }
        yield* insertIntent("pi_claimed", paid)
        yield* insertIntent("pi_lost", { ...paid, disputes: { a: "LOST" } })
        yield* insertIntent("pi_nobodys", paid, null)
        yield* insertIntent("pi_open", { ...paid, disputes: { a: "OPEN" } })
        yield* sql`
        INSERT INTO payments (
          organization_id, id, case_id, is_initial, is_prepared, status, version, differs_from_gateway, description, intent_id,
          created_at, updated_at
        ) VALUES (
          ${organizationId}, gen_random_uuid(), gen_random_uuid(), true, false, 'PAID', 1, false, '', 'pi_claimed', now(), now()
        )
      `
        yield* findOlderIntents.change
        assert.deepStrictEqual(
          (yield* noted).map(({ id }) => id),
          ["pi_open"]
        )
      })
  )

  it.effect("are noted by batches, however many there are, and once", () =>
    Effect.gen(function* () {
      yield* forget
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        INSERT INTO payment_intents (id, organization_id, facts, updated_at)
        SELECT 'pi_' || n, ${organizationId}::uuid, ${JSON.stringify({ ...emptyIntentState, isPaid: true })}::jsonb, now()
        FROM generate_series(1, 11000) AS n
      `
      yield* findOlderIntents.change
      yield* findOlderIntents.change
      assert.lengthOf(yield* noted, 11_000)
    })
  )
})
