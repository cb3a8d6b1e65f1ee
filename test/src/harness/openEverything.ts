import { OrganizationId, UserId } from "@care/domain/ids"
import {
  openedBy,
  type PatientKey,
  type PatientTable,
  PhiCipher,
  type SealedTables,
  type StoredRow,
  unwrapPatientKey
} from "@care/phi"
import { layerTestCipherWith } from "@care/phi/testing"
import { ownSealedTables } from "@care/service"
import { Effect, Record, Result, Schema, String as Text } from "effect"
import { patientTables as authTables } from "../../../services/auth/src/erasure/patientTables.ts"
import { sealedTables as sealedInAuth } from "../../../services/auth/src/sealedTables.ts"
import { patientTables as casesTables } from "../../../services/cases/src/records/patients/patientTables.ts"
import { sealedTables as sealedInCases } from "../../../services/cases/src/sealedTables.ts"
import { patientTables as paymentsTables } from "../../../services/payments/src/patients/patientTables.ts"
import { sealedTables as sealedInPayments } from "../../../services/payments/src/sealedTables.ts"
import { patientTables as schedulingTables } from "../../../services/scheduling/src/patients/patientTables.ts"
import { inEveryDatabase } from "./database.ts"
import { Suite } from "./Suite.ts"

/** The tables with data of patients, by schema. */
export const patientTables: Readonly<Record<string, ReadonlyArray<PatientTable>>> = {
  auth: authTables,
  cases: casesTables,
  payments: paymentsTables,
  scheduling: schedulingTables
}

/** The columns that `PHI_KEY` itself seals, by schema. */
export const sealedTables: Readonly<Record<string, SealedTables>> = {
  auth: [...ownSealedTables, ...sealedInAuth],
  cases: [...ownSealedTables, ...sealedInCases],
  payments: [...ownSealedTables, ...sealedInPayments],
  scheduling: ownSealedTables
}

type Row = Readonly<{ [column: string]: unknown }>

/** The decrypted value of a sealed column, and the key that opened it. Columns are named as in the services. */
interface OpenedCell {
  readonly column: string
  readonly keyId: string
  readonly value: unknown
}

/** A stored row of a table (`cases.comments`), and those of its sealed columns that could be opened. */
export interface OpenedRow {
  readonly table: string
  readonly row: Row
  readonly opened: ReadonlyArray<OpenedCell>
}

// A hash may begin as a sealed value does, which is longer.
const isHash = (value: Uint8Array) => value.length === 32

/** Returns the id of the key that sealed a value. The result is meaningless for a value that is not sealed. */
export const keyIdOf = (value: unknown): string => {
  if (!(value instanceof Uint8Array)) return String(value).split(":", 1)[0] ?? ""
  return isHash(value) ? "" : Buffer.from(value.subarray(1, 1 + (value[0] ?? 0))).toString("latin1")
}

/** Returns a value of the database as JSON. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner)) ?? ""

/** Returns a row with its columns named as in the services. */
export const camelCased = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [Text.snakeToCamel(name), value]))

const isKeyColumn = Schema.is(Schema.Union([Schema.String, Schema.Number]))

const decodeKey = (row: Row) => Record.filter(row, isKeyColumn)

const attempt = (column: string, sealed: unknown, open: () => unknown): ReadonlyArray<OpenedCell> =>
  Result.match(Result.try(open), {
    onFailure: () => [],
    onSuccess: (value) => [{ column, keyId: keyIdOf(sealed), value }]
  })

/**
 * Reads everything that somebody with a dump of the database and a `PHI_KEY` can read: all rows, and the sealed columns that open. A sealed
 * column that no table declares is a defect.
 */
const openRowsWith = Effect.fnUntraced(function* (phiKey: string) {
  const cipher = yield* Effect.provide(PhiCipher, layerTestCipherWith(phiKey))
  return yield* inEveryDatabase(
    Effect.fnUntraced(function* (sql, schema) {
      const tables = yield* sql<{ name: string }>`
        SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = ${schema} AND table_type = 'BASE TABLE'
      `
      const openedRows: Array<OpenedRow> = []
      for (const { name } of tables) {
        const stored = yield* sql<{ organization_id: string; user_id: string; id: string; wrapped: string | null }>`
          SELECT * FROM ${sql(`${schema}.patient_keys`)}
        `
        const keys = new Map(
          stored.flatMap(({ id, organization_id, user_id, wrapped }) => {
            const organizationId = OrganizationId.make(organization_id)
            const key = { organizationId, userId: UserId.make(user_id), id, wrapped }
            return wrapped === null ? [] : [[id, unwrapPatientKey(cipher, key)] as const]
          })
        )
        const rows =
          name === "document_pieces"
            ? yield* sql<Row>`
                SELECT *, (count(*) OVER (PARTITION BY document_id))::integer AS count FROM ${sql(`${schema}.${name}`)}
              `
            : yield* sql<Row>`SELECT * FROM ${sql(`${schema}.${name}`)}`
        const ids = new Set([...cipher.keyIds, ...stored.map(({ id }) => id)])
        const isSealed = (value: unknown) => ids.has(keyIdOf(value))
        for (const row of rows) {
          const opened = openRow(cipher, schema, name, camelCased(row), keys, isSealed)
          openedRows.push({ table: `${schema}.${name}`, row, opened })
        }
      }
      return openedRows
    })
  )
})

/** Reads all rows, with the columns that the suite's `PHI_KEY` opens. */
export const readRows = Effect.flatMap(Suite, ({ secrets }) => openRowsWith(secrets.PHI_KEY))

/** Reads the same as one JSON text for each table, with any `PHI_KEY`. */
export const openEverythingWith = (phiKey: string) =>
  Effect.map(openRowsWith(phiKey), (rows) =>
    Record.map(Object.fromEntries(Map.groupBy(rows, ({ table }) => table)), (ofTable) =>
      jsonOf(ofTable.flatMap(({ opened, row }) => [row, ...opened.map(({ value }) => value)]))
    )
  )

/** Reads the same with the suite's `PHI_KEY`. */
export const openEverything = Effect.flatMap(Suite, ({ secrets }) => openEverythingWith(secrets.PHI_KEY))

const openRow = (
  cipher: PhiCipher["Service"],
  schema: string,
  table: string,
  row: Row,
  keys: ReadonlyMap<string, PatientKey>,
  isSealed: (value: unknown) => boolean
): ReadonlyArray<OpenedCell> => {
  const columns = Object.keys(row).filter((column) => isSealed(row[column]))
  if (columns.length === 0) return []
  if (table === "patient_keys") return []
  if (table === "document_pieces") {
    const place = `document_pieces.bytes/${JSON.stringify([row["organizationId"], row["documentId"], row["index"], row["count"]])}`
    const bytes = row["bytes"]
    return bytes instanceof Uint8Array
      ? attempt("bytes", bytes, () => cipher.openBytes(bytes, place, keys)?.toString("latin1"))
      : []
  }
  const patientRow = (patientTables[schema] ?? []).find((each) => each.table === table)?.row
  const sealedColumns = (sealedTables[schema] ?? []).filter((each) => each.table === table)
  if (patientRow === undefined && sealedColumns.length > 0) {
    return sealedColumns.flatMap(({ column, placeOf }) => {
      const value = row[Text.snakeToCamel(column)]
      if (value === null) return []
      const place = () => placeOf(decodeKey(row), schema)
      return attempt(Text.snakeToCamel(column), value, () =>
        value instanceof Uint8Array
          ? cipher.openBytes(value, place(), keys)?.toString("utf8")
          : cipher.open(String(value), place(), keys)
      )
    })
  }
  if (patientRow === undefined)
    throw new Error(`${schema}.${table} has sealed columns that nobody knows: ${columns.join(", ")}`)
  // Opens each column separately, so that one which does not open does not prevent the others.
  return columns.flatMap((column) => {
    const others = Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, name !== column && isSealed(value) ? null : value])
    )
    const rowWithColumn: StoredRow = { ...others, [openedBy]: keys }
    const opened = attempt(column, row[column], () => patientRow.open(cipher)(rowWithColumn)[column])
    if (opened.some(({ value }) => value === row[column])) {
      throw new Error(`${schema}.${table}.${column} is sealed, and the row in patientTables does not say so`)
    }
    return opened
  })
}
