import { rowsOf } from "@care/service-kit"
import { DateTime, Effect, Metric, Schema } from "effect"
import { SqlClient } from "effect/sql"

const differing = Metric.gauge("payments_differing", {
  description: "Payments of live organizations whose amount or currency is not that of the gateway"
})

const unknown = Metric.gauge("payments_unknown", {
  description:
    "Payments of live organizations of which nobody knows for more than 10 minutes what became of an operation at the gateway"
})

const unclaimed = Metric.gauge("payments_unclaimed", {
  description:
    "Intents of no sandbox that hold or took money for more than an hour, and pay nothing here; more than 10,000 are not counted"
})

/** The age from which an operator has to look at an operation of unknown outcome. */
const unknownAfter = { minutes: 10 }

/** The age from which an operator has to look at an intent without a payment. Its case usually exists by then. */
const unclaimedAfter = { hours: 1 }

const counts = rowsOf(Schema.Struct({ count: Schema.Int }))

/** Makes the effect that updates the gauges of payments that operators have to look at, over all live organizations. */
export const makePaymentGauges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const isLive = (table: "payments" | "payment_intents") =>
    sql.literal(
      `NOT EXISTS (SELECT FROM test_organizations AS test WHERE test.organization_id = ${table}.organization_id)`
    )

  return Effect.gen(function* () {
    const since = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, unknownAfter))
    const differingCount = yield* counts.one(
      sql`SELECT count(*)::int AS count FROM payments WHERE differs_from_gateway AND ${isLive("payments")}`
    )
    const unknownCount = yield* counts.one(sql`
      SELECT count(*)::int AS count FROM payments
      WHERE operation IS NOT NULL AND operation_since < ${since} AND ${isLive("payments")}
    `)
    const unclaimedUntil = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, unclaimedAfter))
    const unclaimedCount = yield* counts.one(sql`
      SELECT count(*)::int AS count
      FROM (
        SELECT FROM payment_intents WHERE unclaimed_since < ${unclaimedUntil} AND ${isLive("payment_intents")} LIMIT 10000
      ) AS unclaimed
    `)
    yield* Metric.update(unclaimed, unclaimedCount.count)
    yield* Metric.update(differing, differingCount.count)
    yield* Metric.update(unknown, unknownCount.count)
  })
})
