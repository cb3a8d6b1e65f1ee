import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { MovedTable } from "./movedTables.ts"

/** The databases of a service in the two cells, and its schema. */
export interface ServiceMove {
  readonly schema: string
  readonly source: SqlClient.SqlClient
  readonly target: SqlClient.SqlClient
}

const rowsAtOnce = 1000

// A row with bytes may have a megabyte.
const longRowsAtOnce = 16

const quoted = (columns: ReadonlyArray<string>, alias = "") => columns.map((name) => `${alias}"${name}"`).join(", ")

const isSame = (key: ReadonlyArray<string>) => key.map((name) => `whole_row."${name}" = row."${name}"`).join(" AND ")

const listOf = (table: string) => `jsonb_populate_recordset(NULL::${table}, $1::jsonb) AS row`

// `rows` is a list of rows in JSON, or of their keys.
const remove = ({ schema, target }: ServiceMove, { key, name }: MovedTable, rows: string) => {
  const table = `${schema}."${name}"`
  return target.unsafe(`DELETE FROM ${table} AS whole_row USING ${listOf(table)} WHERE ${isSame(key)}`, [rows])
}

const insert = ({ schema, target }: ServiceMove, { columns, name }: MovedTable, rows: string, onConflict = "") => {
  const table = `${schema}."${name}"`
  const values = `SELECT ${quoted(columns, "row.")} FROM ${listOf(table)}`
  return target.unsafe(`INSERT INTO ${table} (${quoted(columns)}) ${values} ${onConflict}`, [rows])
}

interface SourcePage {
  readonly rows: string
  readonly count: number
  readonly last: string | null
}

/**
 * Copies the rows of an organization, page by page. What changes meanwhile is noted, and copied by `copyChanges`; so is a row that is left
 * out because it has what another one had before. `report` gets the number of rows so far.
 */
export const copyRows = Effect.fnUntraced(function* (
  move: ServiceMove,
  table: MovedTable,
  organizationId: string,
  report: (count: number) => Effect.Effect<void>
) {
  const { isLong, key, name, owner } = table
  const from = `${move.schema}."${name}"`
  const descending = key.map((part) => `"${part}" DESC`).join(", ")
  let count = 0
  let after: string | null = null
  do {
    const following: string =
      after === null
        ? ""
        : `AND (${quoted(key)}) > (SELECT ${quoted(key, "row.")} FROM jsonb_populate_record(NULL::${from}, $2::jsonb) AS row)`
    const [page]: ReadonlyArray<SourcePage> = yield* move.source.unsafe<SourcePage>(
      `WITH page AS MATERIALIZED (
         SELECT * FROM ${from} WHERE "${owner}" = $1::uuid ${following} ORDER BY ${quoted(key)}
         LIMIT ${isLong ? longRowsAtOnce : rowsAtOnce}
       )
       SELECT coalesce(jsonb_agg(to_jsonb(page)), '[]')::text AS rows, count(*)::integer AS count,
              (SELECT to_jsonb(last)::text FROM (SELECT ${quoted(key)} FROM page ORDER BY ${descending} LIMIT 1) AS last) AS last
       FROM page`,
      after === null ? [organizationId] : [organizationId, after]
    )
    if (page === undefined || page.count === 0) break
    yield* move.target.withTransaction(
      Effect.andThen(remove(move, table, page.rows), insert(move, table, page.rows, "ON CONFLICT DO NOTHING"))
    )
    count += page.count
    after = page.last
    yield* report(count)
  } while (after !== null)
}, Effect.orDie)

interface Change {
  readonly id: string
  readonly table: string
  readonly key: string
}

const changesAtOnce = 2000

const isTaken = ({ reason }: SqlError.SqlError) => reason._tag === "UniqueViolation"

const copyNoted = Effect.fnUntraced(function* (
  move: ServiceMove,
  tables: ReadonlyArray<MovedTable>,
  organizationId: string
) {
  const { schema, source, target } = move
  const changes = yield* source.unsafe<Change>(
    `SELECT id::text, table_name AS table, key::text FROM ${schema}.organization_changes
     WHERE organization_id = $1::uuid ORDER BY id LIMIT ${changesAtOnce}`,
    [organizationId]
  )
  if (changes.length === 0) return 0
  const keysOf = Map.groupBy(changes, ({ table }) => table)
  const changed = yield* Effect.forEach(
    tables.filter(({ name }) => keysOf.has(name)),
    Effect.fnUntraced(function* (table) {
      const keys = `[${[...new Set((keysOf.get(table.name) ?? []).map(({ key }) => key))].join(",")}]`
      const from = `${schema}."${table.name}"`
      const [found] = yield* source.unsafe<{ rows: string }>(
        `SELECT coalesce(jsonb_agg(to_jsonb(whole_row)), '[]')::text AS rows
         FROM jsonb_populate_recordset(NULL::${from}, $2::jsonb) AS row
         JOIN ${from} AS whole_row ON ${isSame(table.key)}
         WHERE whole_row."${table.owner}" = $1::uuid`,
        [organizationId, keys]
      )
      return { table, keys, rows: found?.rows ?? "[]" }
    })
  )
  // First all are removed, because one row may have what another one had.
  yield* Effect.gen(function* () {
    for (const { keys, table } of changed) yield* remove(move, table, keys)
    for (const { rows, table } of changed) yield* insert(move, table, rows)
  }).pipe(target.withTransaction)
  yield* source.unsafe(
    `DELETE FROM ${schema}.organization_changes WHERE organization_id = $1::uuid AND id = ANY($2::bigint[])`,
    [organizationId, changes.map(({ id }) => id)]
  )
  return changes.length
})

/**
 * Copies the rows whose changes were noted, as they are now, and returns how many changes there were. A change is forgotten after it was
 * copied, so that a mover that ended goes on.
 */
export const copyChanges = (move: ServiceMove, tables: ReadonlyArray<MovedTable>, organizationId: string) =>
  copyNoted(move, tables, organizationId).pipe(Effect.retry({ while: isTaken, times: 10 }), Effect.orDie)
