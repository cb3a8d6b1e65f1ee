import { Effect, Schema, SchemaGetter, SchemaIssue, SchemaTransformation } from "effect"
import { Uuid } from "../Ids.ts"
import { lengths } from "./bounds.ts"
import { isStorable, textUpTo } from "./Text.ts"
import { isStorableMoment } from "./Timestamp.ts"

/** The position of a row in a list that is ordered by creation. */
export const PagePosition = Schema.Struct({ createdAt: Schema.Date.check(isStorableMoment), id: Uuid })
export type PagePosition = typeof PagePosition.Type

export const cursorRefusal = "must be the nextCursor of another page"

/** Returns the schema of a cursor: the JSON of a position, in base64url. */
export const cursorOf = <Position>(
  position: Schema.Codec<Position, Schema.Json>,
  maxLength: number = lengths.reference
) => {
  const codec = Schema.StringFromBase64Url.pipe(Schema.decodeTo(Schema.fromJsonString(position)))
  const read = Schema.decodeOption(codec)
  return textUpTo(maxLength, { refusal: cursorRefusal }).pipe(
    Schema.decodeTo(Schema.toType(position), {
      decode: SchemaGetter.transformEffect((text) =>
        Effect.mapError(Effect.fromOption(read(text)), () => new SchemaIssue.InvalidValue({ message: cursorRefusal }))
      ),
      encode: SchemaGetter.transform(Schema.encodeSync(codec))
    })
  )
}

const pagePosition = Schema.Tuple([Schema.DateFromMillis.check(isStorableMoment), PagePosition.fields.id]).pipe(
  Schema.decodeTo(Schema.toType(PagePosition), {
    decode: SchemaGetter.transform(([createdAt, id]) => ({ createdAt, id })),
    encode: SchemaGetter.transform(({ createdAt, id }) => [createdAt, id] as const)
  })
)

export const PageCursor = cursorOf(pagePosition)

/** A position in a list of several cells: one for all, or one for each. A cell without one begins. */
export type CellsPosition<Position> =
  | { readonly all: Position }
  | { readonly cells: Readonly<Record<string, Position>> }

/** Returns the schema of a cursor of a list of several cells. If the position is the same in all, it is the cursor of one cell. */
export const cellsCursorOf = <Position>(position: Schema.Codec<Position, Schema.Json>) => {
  const all = position.pipe(
    Schema.decodeTo(Schema.Struct({ all: Schema.toType(position) }), {
      decode: SchemaGetter.transform((common) => ({ all: common })),
      encode: SchemaGetter.transform(({ all: common }) => common)
    })
  )
  const byCell = Schema.Record(Schema.String, position)
  const cells = byCell.pipe(
    Schema.decodeTo(Schema.Struct({ cells: Schema.toType(byCell) }), {
      decode: SchemaGetter.transform((positions) => ({ cells: positions })),
      encode: SchemaGetter.transform(({ cells: positions }) => positions)
    })
  )
  return cursorOf<CellsPosition<Position>>(Schema.Union([all, cells]), lengths.positions)
}

export const CellsCursor = cellsCursorOf(pagePosition)

/** The cursor of a list of numbered rows: the number of the last row. */
export const SequenceCursor = cursorOf(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 })))

/** The number of rows in a page of the admin API, if a query does not name it. */
export const defaultLimit = 50

/** The number of rows in a page, from a query. The public document shows it as an integer, with `defaultValue` as its default. */
export const limitUpTo = (maximum: number, defaultValue?: number) => {
  const range = { minimum: 1, maximum }
  return Schema.declare((value): value is string => typeof value === "string", {
    expected: "a text",
    toCodecStringTree: () => undefined
  }).pipe(
    Schema.check(
      Schema.makeFilter((text: string) => (isStorable(text) ? undefined : "must be an integer"), {
        toJsonSchema: () => ({
          type: "integer",
          ...range,
          ...(defaultValue !== undefined && { default: defaultValue })
        })
      })
    ),
    Schema.decodeTo(Schema.Int.check(Schema.isBetween(range)), SchemaTransformation.numberFromString)
  )
}

const maxLimit = 1000

/** The limit of a list that is read to its end: 1000 at most, and by default. */
export const longLimit = limitUpTo(maxLimit, maxLimit).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(maxLimit)))

/** The query of a list of the admin API: at most `limit` rows after `cursor`, 50 by default. */
export const PageQuery = {
  limit: limitUpTo(100, defaultLimit).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(defaultLimit))),
  cursor: Schema.optionalKey(PageCursor)
}
export type PageQuery = Schema.Struct.Type<typeof PageQuery>

/** A page of a list of the admin API. `nextCursor` is null after the last page. `cellsAway` is absent if all cells answered. */
export const pageOf = <Item extends Schema.Top>(item: Item) => pageWith(item, PageCursor)

export const pageWith = <Item extends Schema.Top, Cursor extends Schema.Top>(item: Item, cursor: Cursor) =>
  Schema.Struct({
    data: Schema.Array(item),
    nextCursor: Schema.NullOr(cursor),
    cellsAway: Schema.optionalKey(Schema.Array(Schema.String))
  })

/** The members of a page of the partner API, for `ok`. */
export const pageFields = <Item extends Schema.Top>(item: Item) => ({
  data: Schema.Array(item),
  nextCursor: Schema.NullOr(PageCursor)
})
