import { inBackground, rowsOf } from "@care/service-kit"
import { Effect, Metric, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AuditOutbox } from "./AuditOutbox.ts"

const unlinked = Metric.gauge("audit_unlinked", {
  description: "Audit records that are in no chain yet; more than 100,000 are not counted"
})

const outboxed = Metric.gauge("audit_outbox_bytes", {
  description: "Audit records of reads of this process that are not in the database yet"
})

const counts = rowsOf(Schema.Struct({ count: Schema.Int }))

/** Makes the measure of the audit's backlog: records that wait for the database, and records that wait for their links. */
export const makeAuditGauges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const outbox = yield* AuditOutbox
  const counted = counts.one(sql`SELECT count(*)::int AS count FROM (SELECT FROM audit_unlinked LIMIT 100000) waiting`)
  return Effect.gen(function* () {
    // First, because it matters most while the database does not answer.
    yield* Metric.update(outboxed, yield* outbox.bytes)
    yield* Metric.update(unlinked, (yield* inBackground(counted)).count)
  })
})
