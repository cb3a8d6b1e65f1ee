import { rowsOf } from "@care/service-kit"
import { DateTime, Effect, Metric, Schema } from "effect"
import { SqlClient } from "effect/sql"

const differing = Metric.gauge("payments_differing", {
  description: "Payments whose amount or currency is not that of the gateway"
})

const unknown = Metric.gauge("payments_unknown", {
  description: "Payments of which nobody knows for more than 10 minutes what became of an operation at the gateway"
})

const unclaimed = Metric.gauge("payments_unclaimed", {
  description:
    "Intents that hold or took money for more than an hour, and pay nothing here; more than 10,000 are not counted"
})

/** After that long an operation of which nobody knows what became is somebody's to look at. */
const longestUnknown = { minutes: 10 }

/** A case that is to name an intent does so by then. */
const longestUnclaimed = { hours: 1 }

const counts = rowsOf(Schema.Struct({ count: Schema.Int }))

/** Measures what operators have to look at, of all organizations together. */
export const makePaymentGauges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  return Effect.gen(function* () {
    const since = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, longestUnknown))
    const different = yield* counts.one(sql`SELECT count(*)::int AS count FROM payments WHERE differs_from_gateway`)
    const waiting = yield* counts.one(sql`
      SELECT count(*)::int AS count FROM payments WHERE operation IS NOT NULL AND operation_since < ${since}
    `)
    const unclaimedUntil = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, longestUnclaimed))
    const nobodys = yield* counts.one(sql`
      SELECT count(*)::int AS count
      FROM (SELECT FROM payment_intents WHERE unclaimed_since < ${unclaimedUntil} LIMIT 10000) AS unclaimed
    `)
    yield* Metric.update(unclaimed, nobodys.count)
    yield* Metric.update(differing, different.count)
    yield* Metric.update(unknown, waiting.count)
  })
})
