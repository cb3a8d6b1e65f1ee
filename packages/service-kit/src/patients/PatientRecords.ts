import type { PatientData } from "@care/domain/patients"
import { Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { makeHandDataKeys } from "../crypto/handDataKeys.ts"
import { PhiCipher } from "../crypto/PhiCipher.ts"
import { inBackground } from "../sql/Background.ts"
import { rowsATurn } from "../sql/decodeInTurns.ts"
import { rowsOf } from "../sql/rows.ts"
import type { PatientRef, PatientTable } from "./PatientTable.ts"

const stored = rowsOf(Schema.Record(Schema.String, Schema.Unknown))

const decodeRow = Schema.decodeUnknownSync(Schema.Json)

/**
 * Everything that the tables of a service have of a patient: whole rows, with what is sealed opened, as JSON. Others get their
 * turn in between.
 */
export const makePatientRecords = Effect.fnUntraced(function* (tables: ReadonlyArray<PatientTable>) {
  const sql = yield* SqlClient.SqlClient
  const cipher = yield* PhiCipher
  const readers = yield* Effect.forEach(
    tables,
    Effect.fnUntraced(function* ({ hidden = [], of, order, row, table }: PatientTable) {
      const handKeys = row === undefined ? () => Effect.void : yield* makeHandDataKeys(row)
      const open = row === undefined ? (values: Readonly<Record<string, unknown>>) => values : row.open(cipher)
      const read = Effect.fnUntraced(function* (patient: PatientRef) {
        const rows = yield* stored.all(sql`
          SELECT * FROM ${sql(table)}
          WHERE organization_id = ${patient.organizationId} AND ${of(sql, patient)} ORDER BY ${sql.literal(order)}
        `)
        const copies = rows.map((values) => ({ ...values }))
        yield* handKeys(copies)
        const opened: Array<Schema.Json> = []
        for (const [at, values] of copies.entries()) {
          if (at > 0 && at % rowsATurn === 0) yield* Effect.yieldNow
          opened.push(decodeRow(JSON.parse(JSON.stringify(Struct.omit(open(values), hidden)))))
        }
        return opened
      })
      return [table, read] as const
    })
  )

  return (patient: PatientRef): Effect.Effect<PatientData> =>
    Effect.forEach(readers, ([table, read]) => Effect.map(read(patient), (rows) => [table, rows] as const)).pipe(
      Effect.map((found) => Object.fromEntries(found)),
      inBackground
    )
})
