import { AuditHead, monthOf } from "@care/domain/audit"
import { changePartitions, execute, inBackground, inTransaction, neededMonths, rowsOf } from "@care/service-kit"
import { Clock, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { makeChainsRepo } from "./makeChainsRepo.ts"
import { makeCheckpoints } from "./makeCheckpoints.ts"

const maxEndedAtOnce = 1000

const months = rowsOf(Schema.Struct({ month: Schema.Int }))
const endedMonths = rowsOf(Schema.Struct({ ...AuditHead.fields, month: Schema.Int }))

/** Makes the functions that prepare and end the months of the audit. */
export const makeAuditMonths = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const chains = yield* makeChainsRepo
  const checkpoints = yield* makeCheckpoints

  const currentMonth = Effect.map(Clock.currentTimeMillis, (now) => monthOf(new Date(now)))

  const missingOf = (needed: ReadonlyArray<number>) =>
    months.all(sql`
      SELECT month FROM unnest(${needed}::integer[]) AS month
      WHERE to_regclass('audit_entries_' || month) IS NULL OR to_regclass('audit_entry_cases_' || month) IS NULL
      ORDER BY month
    `)

  // A chain whose end was removed or set back keeps its month open.
  const endedBefore = (current: number) =>
    endedMonths.all(sql`
      SELECT organization_id, month, count::float8 AS count, encode(hash, 'hex') AS hash FROM audit_heads h
      WHERE h.month < ${current} AND NOT EXISTS (
        SELECT FROM audit_entries e WHERE e.organization_id = h.organization_id AND e.number > h.count
      ) AND NOT EXISTS (
        SELECT FROM audit_links l WHERE l.organization_id = h.organization_id AND l.number > h.count
      )
      ORDER BY h.organization_id
      LIMIT ${maxEndedAtOnce}
    `)

  // From now on nothing is linked in the month that ended, whatever the clocks of other processes say.
  const moveOn = (organizationIds: ReadonlyArray<string>, current: number) =>
    execute(sql`UPDATE audit_heads SET month = ${current} WHERE organization_id = ANY(${organizationIds}::uuid[])`)

  const endSome = Effect.gen(function* () {
    if (!(yield* chains.takeTurn)) return 0
    const current = yield* currentMonth
    const ends = yield* endedBefore(current)
    if (ends.length === 0) return 0
    yield* checkpoints.store(ends)
    yield* moveOn(
      ends.map(({ organizationId }) => organizationId),
      current
    )
    return ends.length
  }).pipe(inTransaction(sql))

  return {
    /** Adds the partitions of the present month and the next ones, long before they are needed. */
    prepare: neededMonths.pipe(
      Effect.flatMap(missingOf),
      Effect.flatMap((missing) => changePartitions(missing.map(({ month }) => sql`CALL add_audit_month(${month})`))),
      inBackground
    ),

    /**
     * Ends the months before the present one, of chains to which nothing was added since: stores their checkpoints. The first record in a new
     * month ends the month before by itself.
     */
    end: Effect.repeat(endSome, { until: (count) => count < maxEndedAtOnce }).pipe(inBackground, Effect.asVoid),

    /** Returns how many of the next months have partitions. */
    countPrepared: Effect.gen(function* () {
      const [, ...next] = yield* neededMonths
      const [missing] = yield* missingOf(next)
      return missing === undefined ? next.length : next.indexOf(missing.month)
    }).pipe(inBackground)
  }
})
