import type { OrganizationId, UserId } from "@care/domain/ids"
import { asSlowRead, rowsOf } from "@care/service-kit"
import { Effect, Option, Schema, Stream, Struct, String as Text } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { PhiCipher } from "../cipher/PhiCipher.ts"
import { makeHandDataKeys } from "../patientKeys/handDataKeys.ts"
import type { SealedRow } from "../sealed/sealedRow.ts"

export interface PatientRef {
  readonly organizationId: OrganizationId
  readonly userId: UserId
}

/** A table with data of patients: which rows belong to a patient, their order in an export, and their sealed columns. */
export interface PatientTable {
  readonly table: string
  readonly row?: Pick<SealedRow<Schema.Top, Schema.Top>, "open" | "visit">
  readonly of: (sql: SqlClient.SqlClient, patient: PatientRef) => Statement.Fragment
  /** Columns that identify a row of a patient, and never change. Rows are paged in their order. */
  readonly key: ReadonlyArray<string>
  /** Columns that are never exported: hashes of secrets. */
  readonly hidden?: ReadonlyArray<string>
}

/** Selects the rows with the patient's id in a column. */
export const ofUser =
  (column = "user_id"): PatientTable["of"] =>
  (sql, { userId }) =>
    sql`${sql(column)} = ${userId}`

// Few, because a row may have a megabyte.
const rowsAPage = 10

type Row = Readonly<Record<string, unknown>>

export type WriteRow = (table: string, row: Row) => Stream.Stream<Uint8Array>

const storedRows = rowsOf(Schema.Record(Schema.String, Schema.Unknown))

const textStream = (text: string): Stream.Stream<Uint8Array> => Stream.succeed(Buffer.from(text))

const writeJson: WriteRow = (_table, row) => textStream(JSON.stringify(row))

const comma = Statement.join(", ", false)

/**
 * Makes the function that streams all rows that a service has of a patient: a JSON object with the decrypted rows of each table. It reads a
 * few rows whenever the reader asks for more, and holds no connection in between. A row that changes meanwhile appears as it was or as
 * it is. An error of the database is a defect of the stream.
 */
export const makePatientRecords = Effect.fnUntraced(function* (
  tables: ReadonlyArray<PatientTable>,
  writeRow: WriteRow = writeJson
) {
  const sql = yield* SqlClient.SqlClient
  const cipher = yield* PhiCipher
  const readers = yield* Effect.forEach(
    tables,
    Effect.fnUntraced(function* ({ hidden = [], key, of, row, table }: PatientTable) {
      const handKeys = row === undefined ? () => Effect.void : yield* makeHandDataKeys(row)
      const open = row === undefined ? (values: Row) => values : row.open(cipher)
      const columns = comma(key.map((column) => sql`${sql(column)}`))

      const page = Effect.fnUntraced(function* (patient: PatientRef, last: Row | undefined) {
        const position = key.map((column) => sql`${last?.[Text.snakeToCamel(column)]}`)
        const afterLast = last === undefined ? sql`` : sql`AND (${columns}) > (${comma(position)})`
        const rows = yield* storedRows.all(sql`
          SELECT * FROM ${sql(table)}
          WHERE organization_id = ${patient.organizationId} AND ${of(sql, patient)} ${afterLast}
          ORDER BY ${columns} LIMIT ${rowsAPage}
        `)
        const copies = rows.map((values) => ({ ...values }))
        yield* handKeys(copies)
        const opened = copies.map((values) => Struct.omit(open(values), hidden))
        const next = rows.length < rowsAPage ? Option.none() : Option.fromNullishOr(rows.at(-1))
        return [[opened], next] as const
      }, asSlowRead)

      const rowsOfPage = (page: ReadonlyArray<Row>) =>
        Stream.fromArray(page).pipe(
          Stream.map((each) => writeRow(table, each)),
          Stream.intersperse(textStream(",")),
          Stream.flatten()
        )

      // Writes nothing before it has read the first page.
      return (patient: PatientRef, start: string) =>
        Stream.paginate<Row | undefined, ReadonlyArray<Row>>(undefined, (last) => page(patient, last)).pipe(
          Stream.zipWithIndex,
          Stream.flatMap(([rows, index]) => {
            if (index === 0) return Stream.concat(textStream(`${start}${JSON.stringify(table)}:[`), rowsOfPage(rows))
            return rows.length === 0 ? Stream.empty : Stream.concat(textStream(","), rowsOfPage(rows))
          }),
          (rows) => Stream.concat(rows, textStream("]"))
        )
    })
  )

  return (patient: PatientRef): Stream.Stream<Uint8Array> =>
    Stream.fromArray(readers).pipe(
      Stream.zipWithIndex,
      Stream.flatMap(([read, index]) => read(patient, index === 0 ? "{" : ",")),
      (tablesStream) => Stream.concat(tablesStream, textStream("}"))
    )
})
