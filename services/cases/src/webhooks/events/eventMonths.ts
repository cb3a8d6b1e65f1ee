import { layerScheduled } from "@care/jobs"
import { changePartitions, inBackground, neededMonths } from "@care/service-kit"
import { Clock, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"

/** For how long events and deliveries are stored at least. */
export const storedFor = Duration.days(30)

/** Adds the partitions of the present month and the next ones, long before they are needed, and drops the months whose events are all old. */
export const keepEventMonths = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const oldest = (yield* Clock.currentTimeMillis) - Duration.toMillis(storedFor)
  yield* changePartitions([
    ...(yield* neededMonths).map((month) => sql`CALL add_events_month(${month})`),
    sql`CALL drop_events_months(${new Date(oldest)})`
  ])
}).pipe(inBackground)

/** Prepares and drops months of events every hour, in one instance. */
export const layerEventMonths = layerScheduled({ name: "event-months", every: "1 hour", perform: keepEventMonths })
