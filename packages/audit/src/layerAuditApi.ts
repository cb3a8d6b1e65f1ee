import { AuditBusy, ownAuditApi, type RecordsQuery } from "@care/domain/audit"
import type { OrganizationId } from "@care/domain/ids"
import type { ServiceName } from "@care/domain/peers"
import { asSlowRead, inBackground, inTransaction, makeDefaultPartitionGauge, rowsOf } from "@care/service-kit"
import { Effect, Layer, Metric, Schedule, Schema } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { SqlClient } from "effect/sql"
import { AuditOutbox } from "./AuditOutbox.ts"
import { makeAuditArchives } from "./archive/makeAuditArchives.ts"
import { makeAuditMonths } from "./makeAuditMonths.ts"
import { makeAuditRepo, type PageOfRecords } from "./makeAuditRepo.ts"
import { makeCheckpoints } from "./makeCheckpoints.ts"

const turns = rowsOf(Schema.Struct({ taken: Schema.Boolean }))

// One second, within the time of a call between services.
const retries = { times: 10, schedule: Schedule.spaced("100 millis") }
const retryAfter = 1

/** Reads pages of an organization's audit one at a time, in all processes together. Another read is refused after a second. */
export const makePageInTurn = Effect.gen(function* () {
  const repo = yield* makeAuditRepo
  const sql = yield* SqlClient.SqlClient

  const takeTurn = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const name = sql`current_schema() || ' audit records ' || ${organizationId}`
    const { taken } = yield* turns.one(sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS taken`)
    if (!taken) return yield* new AuditBusy({ retryAfter })
  })

  return (organizationId: OrganizationId, query: RecordsQuery): Effect.Effect<PageOfRecords, AuditBusy> =>
    takeTurn(organizationId).pipe(
      Effect.andThen(repo.page({ ...query, organizationId })),
      inTransaction(sql),
      asSlowRead,
      Effect.retry(retries)
    )
})

export const layerAuditApi = (service: ServiceName) => {
  const api = ownAuditApi(service)
  const handlers = HttpApiBuilder.group(
    api,
    "ownAudit",
    Effect.fnUntraced(function* (handlers) {
      const repo = yield* makeAuditRepo
      const checkpoints = yield* makeCheckpoints
      const pageInTurn = yield* makePageInTurn
      return handlers.handleAll({
        list: ({ query }) => repo.page(query),
        records: ({ params, query }) => pageInTurn(params.organizationId, query),
        heads: ({ query: { cursor, limit, organizationId } }) => repo.heads(organizationId, cursor, limit),
        links: ({ params, query }) => repo.links(params.organizationId, query.after, query.limit, query.month),
        checkpoints: ({ params, query }) => checkpoints.list(params.organizationId, query.after, query.limit),
        strays: ({ params, query }) => repo.strays(params.organizationId, query.after, query.limit)
      })
    })
  )
  const archiveHandlers = HttpApiBuilder.group(
    api,
    "ownAuditArchives",
    Effect.fnUntraced(function* (handlers) {
      const archives = yield* makeAuditArchives
      return handlers.handleAll({
        chains: ({ params, query }) => archives.chains(params.month, query.cursor, query.limit),
        piece: ({ params, query }) => archives.piece(params.month, params.organizationId, query.cursor),
        check: ({ params, payload }) =>
          archives.check(params.month, params.organizationId, payload.sealed, payload.proof),
        remove: ({ params }) => archives.remove(params.month)
      })
    })
  )
  return HttpApiBuilder.layer(api).pipe(Layer.provide([handlers, archiveHandlers]))
}

const unlinked = Metric.gauge("audit_unlinked", {
  description: "Audit records that are in no chain yet; more than 100,000 are not counted"
})

const monthsAhead = Metric.gauge("audit_months_ahead", {
  description: "Months after the present one that the audit's tables have partitions for"
})

const outboxBytes = Metric.gauge("audit_outbox_bytes", {
  description: "Audit records of reads of this process that are not in the database yet"
})

const counts = rowsOf(Schema.Struct({ count: Schema.Int }))

/**
 * Makes the effect that updates the gauges of the audit: records waiting for the database, and for their links, months with
 * partitions, and records of months that had none.
 */
export const makeAuditGauges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const outbox = yield* AuditOutbox
  const months = yield* makeAuditMonths
  const measureDefault = yield* makeDefaultPartitionGauge("audit_entries")
  const countUnlinked = counts.one(sql`
    SELECT count(*)::int AS count FROM (
      SELECT FROM (SELECT FROM audit_waiting LIMIT 100000) w
      UNION ALL SELECT FROM (SELECT FROM audit_unlinked LIMIT 100000) u LIMIT 100000
    ) waiting
  `)
  return Effect.gen(function* () {
    // First, because it matters most while the database does not answer.
    yield* Metric.update(outboxBytes, yield* outbox.bytes)
    yield* Metric.update(unlinked, (yield* inBackground(countUnlinked)).count)
    yield* Metric.update(monthsAhead, yield* months.countPrepared)
    yield* inBackground(measureDefault)
  })
})
