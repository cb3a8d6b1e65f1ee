import { decodeInBatches } from "@care/service-kit"
import { Effect, identity, Predicate, Record, Schema, SchemaGetter, String as Text } from "effect"
import type { DataKeys, PhiCipher } from "../cipher/PhiCipher.ts"
import { ofNobody, type PatientKey } from "../patientKeys/PatientKey.ts"

declare const sealedValue: unique symbol

/** The property of a stored row that has the data keys for it. */
export const openedBy: unique symbol = Symbol("openedBy")

/** The key that seals a row: its patient's key, or `PHI_KEY` itself for a row without a patient. */
export type Sealer = PatientKey | typeof ofNobody

/** The type of a sealed value. The compiler refuses to store other text in a sealed column, and to use a sealed value as text. */
interface Sealed {
  readonly [sealedValue]: never
}

const Stored = Schema.declare((value): value is StoredRow => Predicate.isObject(value), {
  expected: "a row",
  toCodecJson: () => undefined
})

type Cipher = PhiCipher["Service"]

interface SealedColumn<S extends Schema.Top> {
  readonly sealed: S
  readonly erased: S["Type"]
}

/** A column whose value has sealed values inside. */
interface SealingColumn<S extends Schema.Top> {
  readonly rows: (cipher: Cipher) => S
  readonly visit: Visit
}

/** A row as it is stored. It gets its data keys (`openedBy`) before it is decoded, because decoding is synchronous. */
export interface StoredRow extends Readonly<Record<string, unknown>> {
  [openedBy]?: DataKeys
}

/** Calls `see` for each sealed value of a stored row and of the rows inside of it. */
type Visit = (row: StoredRow, see: (row: StoredRow, sealed: unknown) => void) => void

type Column = Schema.Codec<unknown, unknown>

type Columns = Readonly<Record<string, Column | SealedColumn<Column> | SealingColumn<Column>>>

type Plain<C extends Columns> = {
  readonly [K in keyof C]: C[K] extends SealedColumn<infer S> | SealingColumn<infer S> ? S : Extract<C[K], Schema.Top>
}

type Stored<C extends Columns> = {
  readonly [K in keyof C]: C[K] extends SealedColumn<infer S>
    ? Schema.declare<Sealed | Extract<S["Type"], null>>
    : Plain<C>[K]
}

type Some<Row, Key> = Pick<Row, Extract<keyof Row, Key>> & {
  readonly [K in Exclude<keyof Row, Key>]?: Row[K] | undefined
}

// The type of a method, so that parameters are bivariant: a row of certain columns is assignable to one of any columns.
type Seal<Part extends Schema.Top> = { seal(sealer: Sealer, columns: Part["Type"]): Part["Encoded"] }["seal"]

/** A row with sealed columns. Decoding opens them, and encoding seals them with `PHI_KEY` itself. */
export interface SealedRow<Whole extends Schema.Top, Part extends Schema.Top> {
  readonly table: string
  readonly key: ReadonlyArray<string>
  readonly whole: (cipher: Cipher) => Whole
  readonly json: (cipher: Cipher) => Schema.toCodecJson<Whole>
  /** Seals the columns of the key and some others. Omits those that are undefined. */
  readonly seal: (cipher: Cipher) => Seal<Part>
  readonly visit: Visit
  /** Returns a stored row with its sealed columns opened, and nothing else changed. */
  readonly open: (cipher: Cipher) => (row: StoredRow) => Readonly<Record<string, unknown>>
}

export type OpenedRow<Row extends Pick<SealedRow<Schema.Top, Schema.Top>, "whole">> = ReturnType<Row["whole"]>["Type"]

/** Declares a sealed column. Bytes stay bytes, other values are JSON, null is NULL. `erased` is read for an erased patient. */
export const sealed = <S extends Column>(
  schema: S,
  ...[erased = null]: null extends S["Type"] ? [] : [erased: S["Type"]]
): SealedColumn<S> => ({ sealed: schema, erased })

/** The text that is read for an erased patient. */
export const erasedText = "[erased]"

/** Declares a column of a `sealedRow` with rows from `jsonb_agg` that have sealed columns themselves. */
export const jsonRows = <Whole extends Schema.Codec<unknown, unknown>, Part extends Schema.Top>(
  row: SealedRow<Whole, Part>
): SealingColumn<Schema.Codec<ReadonlyArray<Whole["Type"]>, ReadonlyArray<unknown>>> => ({
  visit: row.visit,
  rows: (cipher) => {
    const opened = row.json(cipher)
    const decode = decodeInBatches(opened)
    const encode = Schema.encodeEffect(Schema.Array(opened))
    return Schema.Array(Schema.Unknown).pipe(
      Schema.decodeTo(
        Schema.declare((value): value is ReadonlyArray<Whole["Type"]> => Array.isArray(value)),
        {
          decode: SchemaGetter.transformEffect((rows) => Effect.mapErrorEager(decode(rows), ({ issue }) => issue)),
          encode: SchemaGetter.transformEffect((rows) => Effect.mapError(encode(rows), ({ issue }) => issue))
        }
      )
    )
  }
})

/**
 * Declares a row with sealed columns. A sealed value opens only in its table, column and row; elsewhere it is a defect, which names table,
 * column and key. A patient's values are sealed with the patient's key. When that is destroyed they read as their `erased` value.
 */
export function sealedRow<const Key extends string, C extends Columns & Readonly<Record<Key, Schema.Top>>>(
  table: string,
  key: ReadonlyArray<Key>,
  columns: C
): SealedRow<
  Schema.decodeTo<Schema.Struct<Plain<C>>, Schema.toEncoded<Schema.Struct<Stored<C>>>>,
  Schema.Codec<Some<Schema.Struct<Plain<C>>["Type"], Key>, Some<Schema.Struct<Stored<C>>["Encoded"], Key>>
>
export function sealedRow(
  table: string,
  key: ReadonlyArray<string>,
  columns: Columns
): SealedRow<Schema.Top, Schema.Top> {
  const sealedColumns = Object.entries(columns).flatMap(([column, definition]) =>
    Predicate.hasProperty(definition, "sealed") ? [{ column, name: `${table}.${Text.camelToSnake(column)}` }] : []
  )
  const inner = Object.entries(columns).flatMap(([column, definition]) =>
    "visit" in definition ? [{ column, visit: definition.visit }] : []
  )

  const eachSealed = (row: StoredRow, change: (value: unknown, place: string, column: string) => unknown) => {
    const changed: Record<string, unknown> = { ...row }
    let keyOfRow: string | undefined
    for (const { column, name } of sealedColumns) {
      if (Predicate.isNullish(row[column])) continue
      keyOfRow ??= JSON.stringify(key.map((part) => row[part]))
      changed[column] = change(row[column], `${name}/${keyOfRow}`, column)
    }
    return changed
  }

  const rowOf = (cipher: Cipher, change: (schema: Column, column: string) => Column) => {
    const erased: Record<string, unknown> = {}
    const plain = Record.map(columns, (column, name) => {
      if (Schema.isSchema(column)) return change(column, name)
      if ("rows" in column) return change(column.rows(cipher), name)
      const schema = column.sealed === Schema.Uint8Array ? column.sealed : Schema.toCodecJson(column.sealed)
      erased[name] = Schema.encodeUnknownSync(schema)(column.erased)
      return change(schema, name)
    })
    return { plain: Schema.Struct(plain), erased }
  }

  const openWith = (cipher: Cipher, erased: Readonly<Record<string, unknown>>) => (row: StoredRow) =>
    eachSealed(row, (value, place, column) => {
      const opened =
        value instanceof Uint8Array
          ? cipher.openBytes(value, place, row[openedBy])
          : cipher.open(String(value), place, row[openedBy])
      if (opened === undefined) return erased[column]
      return typeof opened === "string" ? JSON.parse(opened) : opened
    })

  const wholeOf = (cipher: Cipher, change: (schema: Column) => Column) => {
    const { erased, plain } = rowOf(cipher, change)
    // The stored row is checked once, after it is opened.
    return Stored.pipe(
      Schema.decodeTo(plain, {
        decode: SchemaGetter.transform(openWith(cipher, erased)),
        encode: SchemaGetter.transform((row: StoredRow) => eachSealed(row, sealWith(cipher)))
      })
    )
  }

  const sealWith = (cipher: Cipher, patientKey?: PatientKey) => (value: unknown, place: string) =>
    value instanceof Uint8Array
      ? cipher.sealBytes(value, place, patientKey)
      : cipher.seal(JSON.stringify(value), place, patientKey)

  const visit: Visit = (row, see) => {
    for (const { column } of sealedColumns) if (!Predicate.isNullish(row[column])) see(row, row[column])
    for (const list of inner) {
      const rows = row[list.column]
      if (Array.isArray(rows)) for (const each of rows) list.visit(each, see)
    }
  }

  return {
    table,
    key,
    whole: (cipher) => wholeOf(cipher, identity),
    json: (cipher) => Schema.toCodecJson(wholeOf(cipher, Schema.toCodecJson)),
    seal: (cipher) => {
      const { plain } = rowOf(cipher, (schema, column) => (key.includes(column) ? schema : Schema.optional(schema)))
      const encode = Schema.encodeUnknownSync(plain)
      return (sealer, columns) => {
        const row = Record.filter(encode(columns), Predicate.isNotUndefined)
        if (sealer === ofNobody) return eachSealed(row, sealWith(cipher))
        const isOfOther =
          row["organizationId"] !== sealer.organizationId || (row["userId"] ?? sealer.userId) !== sealer.userId
        if (isOfOther) throw new Error(`A row of ${table} is to be sealed with the key of another patient`)
        return eachSealed(row, sealWith(cipher, sealer))
      }
    },
    visit,
    open: (cipher) => openWith(cipher, rowOf(cipher, identity).erased)
  }
}
