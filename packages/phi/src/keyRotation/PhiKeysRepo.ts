import { affects, rowsOf } from "@care/service-kit"
import { Effect, Schema, String as Text } from "effect"
import { SqlClient } from "effect/sql"
import type { SealedTable } from "./SealedTable.ts"

const schemas = rowsOf(Schema.Struct({ schema: Schema.String }))

/** A row: the id of the key of `PHI_KEY` that sealed it, or null, and the value, or null if the first key sealed it. */
const SealedValue = Schema.Struct({
  rowKey: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Number])),
  keyId: Schema.NullOr(Schema.String),
  value: Schema.NullOr(Schema.Union([Schema.String, Schema.Uint8Array]))
})
export type SealedValue = typeof SealedValue.Type

const values = rowsOf(SealedValue)

/** The longest id of a key in `PHI_KEY`. Ids of patients' keys are longer. */
const longestKeyId = 20

/** SQL of the columns that `PHI_KEY` itself seals. */
export const makePhiKeysRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { schema } = yield* schemas.one(sql`SELECT current_schema() AS schema`)

  const idOf = ({ column, isBytes }: SealedTable) =>
    isBytes
      ? sql`encode(
          substr(${sql(column)}, 2, CASE WHEN length(${sql(column)}) > 0 THEN get_byte(${sql(column)}, 0) ELSE 0 END), 'escape'
        )`
      : sql`split_part(${sql(column)}, ':', 1)`

  return {
    schema,

    /** Returns the rows of all organizations after a primary key, in its order. */
    page: (table: SealedTable, after: ReadonlyArray<string> | null, sealingId: string, limit: number) => {
      const columns = Object.entries(table.key)
      const names = sql.csv(columns.map(([name]) => sql`${sql(name)}`))
      const from = columns.map(([, type], at) => sql`${after?.[at] ?? ""}::${sql.literal(type)}`)
      const position = after === null ? sql.literal("true") : sql`(${names}) > (${sql.csv(from)})`
      const keyColumns = [...Object.keys(table.key), ...(table.beside ?? [])]
      const key = sql.csv(keyColumns.map((name) => sql`${Text.snakeToCamel(name)}::text, ${sql(name)}`))
      return values.all(sql`
        SELECT json_build_object(${key}) AS row_key, key_id,
               CASE WHEN key_id <> ${sealingId} THEN ${sql(table.column)} END AS value
        FROM ${sql(table.table)},
             LATERAL (SELECT CASE WHEN length(${idOf(table)}) <= ${longestKeyId} THEN ${idOf(table)} END AS key_id) AS sealed
        WHERE ${position} ORDER BY ${names} LIMIT ${limit}
      `)
    },

    /** Replaces a sealed value. Returns false, and changes nothing, if the row has changed or is gone. */
    replace: (table: SealedTable, { rowKey, value }: SealedValue, sealed: string | Uint8Array) =>
      affects(sql`
        UPDATE ${sql(table.table)} SET ${sql(table.column)} = ${sealed}
        WHERE ${sql.and(
          Object.entries(table.key).map(
            ([name, type]) => sql`${sql(name)} = ${String(rowKey[Text.snakeToCamel(name)])}::${sql.literal(type)}`
          )
        )} AND ${sql(table.column)} = ${value}
        RETURNING 1
      `)
  }
})
