import { Effect, flow, identity, Predicate, Record, Schema, SchemaGetter, String as Text } from "effect"
import { decodeInTurns } from "../sql/decodeInTurns.ts"
import type { PhiCipher } from "./PhiCipher.ts"

declare const sealedValue: unique symbol

/**
 * What a sealed column holds. It is text (or bytes) to the database alone, so that no other text is stored there, nor this
 * one shown.
 */
export interface Sealed {
  readonly [sealedValue]: never
}

const Stored = Schema.declare((value): value is Readonly<Record<string, unknown>> => Predicate.isObject(value), {
  expected: "a row",
  toCodecJson: () => undefined
})

type Cipher = PhiCipher["Service"]

export interface SealedColumn<S extends Schema.Top> {
  readonly sealed: S
}

/** A column with what is sealed further inside. */
export type SealingColumn<S extends Schema.Top> = (cipher: Cipher) => S

type Columns = Readonly<Record<string, Schema.Top | SealedColumn<Schema.Top> | SealingColumn<Schema.Top>>>

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

/** The schemas of a row with sealed columns: plain once decoded, sealed once encoded. */
export interface SealedRow<Whole extends Schema.Top, Part extends Schema.Top> {
  readonly whole: (cipher: Cipher) => Whole
  /** The same of a row that is JSON. */
  readonly json: (cipher: Cipher) => Schema.toCodecJson<Whole>
  /** The columns of its key and some others. Those that are undefined are left out. */
  readonly part: (cipher: Cipher) => Part
}

export type OpenedRow<Row extends SealedRow<Schema.Top, Schema.Top>> = ReturnType<Row["whole"]>["Type"]

/** In a `sealedRow`, a column whose values are sealed: bytes as bytes, anything else as JSON. A null of the schema is NULL. */
export const sealed = <S extends Schema.Top>(schema: S): SealedColumn<S> => ({ sealed: schema })

/** In a `sealedRow`, rows with sealed columns of their own, as `jsonb_agg` gives them. */
export const jsonRows =
  <Whole extends Schema.Codec<unknown, unknown>, Part extends Schema.Top>(
    row: SealedRow<Whole, Part>
  ): SealingColumn<Schema.Codec<ReadonlyArray<Whole["Type"]>, ReadonlyArray<unknown>>> =>
  (cipher) => {
    const opened = row.json(cipher)
    const decode = decodeInTurns(opened)
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

/**
 * A row of which some columns are sealed. What is sealed opens in this table, in this column, in the row with this key, and
 * nowhere else: there it is a defect, which says table, column and the id of the key in `PHI_KEY`, and nothing of the value.
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
  const sealedColumns = Object.keys(columns)
    .filter((column) => Predicate.hasProperty(columns[column], "sealed"))
    .map((column) => [column, `${table}.${Text.camelToSnake(column)}`] as const)

  const eachSealed =
    (change: (value: unknown, place: string) => unknown) => (row: Readonly<Record<string, unknown>>) => {
      const changed = { ...row }
      let keyOfRow: string | undefined
      for (const [column, name] of sealedColumns) {
        if (Predicate.isNullish(row[column])) continue
        keyOfRow ??= JSON.stringify(key.map((part) => row[part]))
        changed[column] = change(row[column], `${name}/${keyOfRow}`)
      }
      return changed
    }

  const rowOf = (cipher: Cipher, change: (schema: Schema.Top, column: string) => Schema.Top) => {
    const plain = Record.map(columns, (column, name) => {
      if (Schema.isSchema(column)) return change(column, name)
      if (Predicate.isFunction(column)) return change(column(cipher), name)
      return change(column.sealed === Schema.Uint8Array ? column.sealed : Schema.toCodecJson(column.sealed), name)
    })
    // What is stored is looked at once, when it is open.
    return Stored.pipe(
      Schema.decodeTo(Schema.Struct(plain), {
        decode: SchemaGetter.transform(
          eachSealed((value, place) =>
            value instanceof Uint8Array ? cipher.openBytes(value, place) : JSON.parse(cipher.open(String(value), place))
          )
        ),
        encode: SchemaGetter.transform(
          flow(
            Record.filter(Predicate.isNotUndefined),
            eachSealed((value, place) =>
              value instanceof Uint8Array ? cipher.sealBytes(value, place) : cipher.seal(JSON.stringify(value), place)
            )
          )
        )
      })
    )
  }

  return {
    whole: (cipher) => rowOf(cipher, identity),
    json: (cipher) => Schema.toCodecJson(rowOf(cipher, Schema.toCodecJson)),
    part: (cipher) => rowOf(cipher, (schema, column) => (key.includes(column) ? schema : Schema.optional(schema)))
  }
}
