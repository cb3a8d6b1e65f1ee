import { Effect } from "effect"
import type { ServiceMove } from "./copyRows.ts"

const recordsAtOnce = 1000

interface Page {
  readonly rows: string
  readonly count: number
}

const pageOf = (from: string, order: string) => `
  SELECT coalesce(jsonb_agg(to_jsonb(page)), '[]')::text AS rows, count(*)::integer AS count
  FROM (SELECT ${from} ORDER BY ${order} LIMIT ${recordsAtOnce}) AS page`

const insertInto = (table: string) =>
  `INSERT INTO ${table} SELECT row.* FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb) AS row ON CONFLICT DO NOTHING`

// What a list showed is derived from its record.
const insertShown = (schema: string, into: string, of: string, columns: string) => `
  INSERT INTO ${schema}.${into}
  SELECT ${columns} FROM jsonb_populate_recordset(NULL::${schema}.${of}, $1::jsonb) AS row
  CROSS JOIN LATERAL unnest(row.shown_case_ids, row.shown_user_ids) AS list (case_id, user_id)`

const isFirst = "row_number() OVER (PARTITION BY row.organization_id, row.id, list.user_id) = 1"

/**
 * Copies the audit of an organization: what is not in the other cell yet, because records are only ever added. The chain goes on there once
 * its end was copied, so that this is the last time.
 */
export const copyAudit = Effect.fnUntraced(function* (
  { schema, source, target }: ServiceMove,
  organizationId: string,
  { withEnd }: { readonly withEnd: boolean }
) {
  const months = yield* source.unsafe<{ month: number }>(
    `SELECT DISTINCT month FROM ${schema}.audit_entries WHERE organization_id = $1::uuid ORDER BY month`,
    [organizationId]
  )
  for (const { month } of months) yield* target.unsafe(`CALL ${schema}.add_audit_month(${month})`)

  const lastIn = (table: string) =>
    Effect.map(
      target.unsafe<{ last: string }>(
        `SELECT coalesce(max(number), 0)::text AS last FROM ${schema}.${table} WHERE organization_id = $1::uuid`,
        [organizationId]
      ),
      ([found]) => found?.last ?? "0"
    )

  const copyEach = Effect.fnUntraced(function* (
    table: string,
    copyPage: (rows: string) => Effect.Effect<unknown, unknown>
  ) {
    while (true) {
      const after = yield* lastIn(table)
      const [page] = yield* source.unsafe<Page>(
        pageOf(`* FROM ${schema}.${table} WHERE organization_id = $1::uuid AND number > $2::bigint`, "number"),
        [organizationId, after]
      )
      if (page === undefined || page.count === 0) return
      yield* target.withTransaction(copyPage(page.rows))
    }
  })

  yield* copyEach(
    "audit_links",
    Effect.fnUntraced(function* (links) {
      const [records] = yield* source.unsafe<Page>(
        `SELECT coalesce(jsonb_agg(to_jsonb(record)), '[]')::text AS rows, count(*)::integer AS count
         FROM jsonb_populate_recordset(NULL::${schema}.audit_links, $1::jsonb) AS row
         JOIN ${schema}.audit_records AS record ON record.organization_id = row.organization_id AND record.id = row.record_id`,
        [links]
      )
      const rows = [records?.rows ?? "[]"]
      yield* target.unsafe(insertInto(`${schema}.audit_records`), rows)
      const columns = `row.organization_id, row.id, row.at, row.action, list.case_id, list.user_id, ${isFirst}`
      yield* target.unsafe(insertShown(schema, "audit_shown", "audit_records", columns), rows)
      yield* target.unsafe(insertInto(`${schema}.audit_links`), [links])
    })
  )
  yield* copyEach(
    "audit_entries",
    Effect.fnUntraced(function* (entries) {
      yield* target.unsafe(insertInto(`${schema}.audit_entries`), [entries])
      const columns = `row.at, row.organization_id, row.id, row.month, list.case_id, list.user_id, ${isFirst}, row.action`
      yield* target.unsafe(insertShown(schema, "audit_entry_cases", "audit_entries", columns), [entries])
    })
  )

  for (const table of ["audit_checkpoints", ...(withEnd ? ["audit_heads"] : [])]) {
    const [all] = yield* source.unsafe<Page>(
      `SELECT coalesce(jsonb_agg(to_jsonb(whole_row)), '[]')::text AS rows, count(*)::integer AS count
       FROM ${schema}.${table} AS whole_row WHERE organization_id = $1::uuid`,
      [organizationId]
    )
    yield* target.unsafe(insertInto(`${schema}.${table}`), [all?.rows ?? "[]"])
  }
}, Effect.orDie)
