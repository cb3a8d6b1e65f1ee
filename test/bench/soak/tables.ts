import type pg from "pg"
import { say } from "../say.ts"

/** A table of a service, with all its partitions. Numbers of rows and bytes. */
interface TableState {
  readonly table: string
  readonly inserted: number
  readonly updated: number
  /** Updates that changed no index. */
  readonly hot: number
  readonly deleted: number
  readonly live: number
  readonly dead: number
  readonly heapBytes: number
  readonly indexBytes: number
  readonly autovacuums: number
  /** The share of the heap that is free or dead, in percent. */
  readonly unusedPercent: number
}

const fewChanges = 100

/** Reads what changed in each table since the start of the server, and its size now. */
export const readTables = async (database: pg.ClientBase): Promise<ReadonlyMap<string, TableState>> => {
  const { rows } = await database.query<TableState>(`
    WITH parts AS (
      SELECT coalesce(pg_partition_root(s.relid), s.relid) AS root, s.*, pg_table_size(s.relid) AS heap, pg_indexes_size(s.relid) AS indexes,
             pgstattuple_approx(s.relid) AS pages
      FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
      WHERE s.schemaname IN ('auth', 'cases', 'payments', 'scheduling') AND c.relkind = 'r'
    )
    SELECT root::regclass::text AS table, sum(n_tup_ins)::float8 AS inserted, sum(n_tup_upd)::float8 AS updated,
           sum(n_tup_hot_upd)::float8 AS hot, sum(n_tup_del)::float8 AS deleted, sum(n_live_tup)::float8 AS live,
           sum(n_dead_tup)::float8 AS dead, sum(heap)::float8 AS "heapBytes", sum(indexes)::float8 AS "indexBytes",
           sum(autovacuum_count)::float8 AS autovacuums,
           coalesce(
             100 * sum((pages).approx_free_space + (pages).dead_tuple_len) / nullif(sum((pages).table_len), 0), 0
           )::float8 AS "unusedPercent"
    FROM parts GROUP BY root ORDER BY sum(heap + indexes) DESC
  `)
  return new Map(rows.map((row) => [row.table, row]))
}

/** The tables at a moment of the load, and how many cases were created until then. */
export interface Moment {
  readonly created: number
  readonly tables: ReadonlyMap<string, TableState>
}

const none = { inserted: 0, updated: 0, hot: 0, deleted: 0, autovacuums: 0, heapBytes: 0, indexBytes: 0 }

const columns: ReadonlyArray<readonly [title: string, width: number]> = [
  ["inserted", 9],
  ["updated", 9],
  ["HOT %", 7],
  ["deleted", 9],
  ["live", 10],
  ["dead", 9],
  ["unused %", 9],
  ["heap MB", 9],
  ["index MB", 9],
  ["bytes 1st", 10],
  ["bytes 2nd", 10],
  ["vacuums", 8]
]

/**
 * Prints the tables that changed, largest first. Inserted, updated and deleted rows, and the bytes by which the table grew in the first and
 * the second half, are for each creation of a case.
 */
export const reportTables = ([start, half, end]: readonly [Moment, Moment, Moment]): void => {
  const head = columns.map(([title, width]) => title.padStart(width)).join("")
  say(`\n${"table".padEnd(34)}${head}`)
  const created = end.created - start.created
  for (const [table, last] of end.tables) {
    const first = start.tables.get(table) ?? none
    const middle = half.tables.get(table) ?? none
    const changes = (key: "inserted" | "updated" | "hot" | "deleted") => last[key] - first[key]
    if (changes("inserted") + changes("updated") + changes("deleted") < fewChanges) continue
    const size = (state: Pick<TableState, "heapBytes" | "indexBytes">) => state.heapBytes + state.indexBytes
    const values = [
      (changes("inserted") / created).toFixed(2),
      (changes("updated") / created).toFixed(2),
      changes("updated") === 0 ? "" : ((100 * changes("hot")) / changes("updated")).toFixed(0),
      (changes("deleted") / created).toFixed(2),
      String(last.live),
      String(last.dead),
      last.unusedPercent.toFixed(0),
      (last.heapBytes / 1e6).toFixed(1),
      (last.indexBytes / 1e6).toFixed(1),
      ((size(middle) - size(first)) / (half.created - start.created)).toFixed(0),
      ((size(last) - size(middle)) / (end.created - half.created)).toFixed(0),
      String(last.autovacuums - first.autovacuums)
    ]
    say(`${table.padEnd(34)}${values.map((value, index) => value.padStart(columns[index]?.[1] ?? 0)).join("")}`)
  }
}
