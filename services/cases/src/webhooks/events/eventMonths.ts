import { monthAfter, monthOf } from "@care/domain/audit/AuditMonth"
import { layerScheduled } from "@care/jobs"
import { execute, inBackground } from "@care/service-kit"
import { Clock, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"

/** For how long events and deliveries are stored at least. */
export const storedFor = Duration.days(30)

/** How many months after the present one have partitions. */
const monthsAhead = 2

/** Adds the partitions of the present month and the next ones, long before they are needed, and drops the months whose events are all old. */
export const keepEventMonths = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const current = monthOf(new Date(now))
  const needed = Array.from({ length: monthsAhead + 1 }, (_, index) => monthAfter(current, index))
  // The others are done even if a month cannot be added, because it has events in the default partition.
  const exits = yield* Effect.forEach(
    [
      ...needed.map((month) => sql`CALL add_events_month(${month})`),
      sql`CALL drop_events_months(${new Date(now - Duration.toMillis(storedFor))})`
    ],
    (call) => Effect.exit(execute(call))
  )
  yield* Effect.all(exits, { discard: true })
}).pipe(inBackground)

/** Prepares and drops months of events every hour, in one instance. */
export const layerEventMonths = layerScheduled({ name: "event-months", every: "1 hour", perform: keepEventMonths })
