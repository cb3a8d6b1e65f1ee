import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeSweptPaymentsRepo } from "./SweptPaymentsRepo.ts"

layer(layerAuditedDatabase("payments"), { excludeTestServices: true })("the rows of sweeps", (it) => {
  const [mine, others] = [randomUUID(), Array.from({ length: 9 }, () => randomUUID())]

  /**
   * Seeds payments of ten organizations, of which one has two thirds. Of ten payments one is open and due, one was just compared, one is
   * too old to be compared again, one as old was compared for the last time, one has an operation that its job settles, and the rest are
   * final. Of a hundred one has an operation that no job settles. As many intents, of which every tenth has money and no payment; and as
   * many events, of which every hundredth is not handled.
   */
  const seed = Effect.fnUntraced(function* (first: number, last: number) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      WITH made AS (
        SELECT n, CASE WHEN n % 3 = 0 THEN (${others}::uuid[])[1 + (n / 30) % 9] ELSE ${mine}::uuid END AS organization_id,
               now() - CASE WHEN n % 10 IN (2, 3) THEN interval '1 year' ELSE interval '3 days' END AS created_at
        FROM generate_series(${first}::int, ${last}::int) AS n
      ), paid AS (
        INSERT INTO payments (
          organization_id, id, case_id, is_initial, is_prepared, status, version, differs_from_gateway, description, intent_id,
          created_at, updated_at, asked_at, operation, operation_id, operation_since
        )
        SELECT organization_id, gen_random_uuid(), gen_random_uuid(), true, false,
               CASE WHEN n % 10 < 4 THEN 'UNPAID' ELSE 'PAID' END, 1, false, '', 'pi_' || n, created_at, created_at,
               CASE n % 10 WHEN 1 THEN now() WHEN 3 THEN 'infinity' END,
               CASE WHEN n % 10 = 4 THEN 'REFUND' END, CASE WHEN n % 10 = 4 THEN gen_random_uuid() END,
               CASE WHEN n % 100 = 4 THEN now() - interval '4 days' WHEN n % 10 = 4 THEN now() END
        FROM made
      )
      INSERT INTO payment_intents (id, organization_id, state, updated_at, unclaimed_since, reported_at)
      SELECT 'pi_of_nobody_' || n, organization_id,
             '{"worth":null,"isFailed":false,"isAuthorized":true,"isPaid":false,"isCanceled":false,"heldUntil":null,"received":0,"refunded":0,"refunds":{},"disputes":{}}',
             created_at, CASE WHEN n % 10 = 0 THEN created_at END, CASE WHEN n % 20 = 0 THEN now() END
      FROM made
    `
    yield* sql`
      INSERT INTO payment_events (event_id, id, type, created_at, result)
      SELECT 'evt_' || n, gen_random_uuid(), 'charge.refunded', now() - interval '4 days',
             CASE WHEN n % 100 = 0 THEN 'PENDING' ELSE 'CHANGED' END
      FROM generate_series(${first}::int, ${last}::int) AS n
    `
    yield* sql`ANALYZE payments, payment_intents, payment_events`
  })

  it.effect("are read at the same cost however many there are, and in equal shares of the organizations", () =>
    Effect.gen(function* () {
      const repo = yield* makeSweptPaymentsRepo
      const now = yield* DateTime.now
      const ago = (days: number) => DateTime.toDateUtc(DateTime.subtract(now, { days }))
      const first = "00000000-0000-0000-0000-000000000000"
      const open = repo.findOpen(ago(60), ago(1), 5, 20)
      const unsettled = repo.findUnsettled({ since: ago(30), id: first }, ago(3), 20)
      const unhandled = repo.findUnhandled({ since: ago(30), id: first }, ago(3), 20)
      const unclaimed = repo.findUnclaimed(ago(2), ago(0), 20, 100)
      const costs = Effect.gen(function* () {
        return {
          open: yield* readsOf(["payments"], open),
          unsettled: yield* readsOf(["payments"], unsettled),
          unhandled: yield* readsOf(["payment_events"], unhandled),
          unclaimed: yield* readsOf(["payment_intents"], unclaimed)
        }
      })
      yield* seed(0, 6000)
      const few = yield* costs
      assert.isAbove(few.open, 0)
      assert.isAbove(few.unsettled, 0)
      yield* seed(6001, 30_000)
      const many = yield* costs
      for (const [name, reads] of Object.entries(many)) {
        assert.isAtMost(reads, 2 * Reflect.get(few, name) + 20, name)
      }
      const owners = (yield* open).map(({ organizationId }) => organizationId)
      assert.strictEqual(owners.length, 20)
      assert.isAtMost(owners.filter((owner) => owner === mine).length, 5)
      const found = yield* unclaimed
      for (const owner of [mine, ...others]) {
        assert.isAtMost(found.filter(({ organizationId }) => organizationId === owner).length, 20)
        assert.isTrue(found.some(({ organizationId }) => organizationId === owner))
      }
    })
  )
})
