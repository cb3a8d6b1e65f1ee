import { Effect, Schema, SchemaGetter, SchemaIssue, SchemaTransformation } from "effect"
import { Uuid } from "../Ids.ts"
import { lengths } from "./bounds.ts"
import { isStorable, textUpTo } from "./Text.ts"
import { isStorableMoment } from "./Timestamp.ts"

/** A place in a list of rows ordered by creation: at the row created then, with this id. */
export const PagePosition = Schema.Struct({ createdAt: Schema.Date.check(isStorableMoment), id: Uuid })
export type PagePosition = typeof PagePosition.Type

const refusal = "must be the nextCursor of another page"

/** The opaque text by which a list is asked for what follows a position: its JSON in base64url. */
export const cursorOf = <Position>(
  position: Schema.Codec<Position, Schema.Json>,
  longest: number = lengths.reference
) => {
  const written = Schema.StringFromBase64Url.pipe(Schema.decodeTo(Schema.fromJsonString(position)))
  const read = Schema.decodeOption(written)
  return textUpTo(longest, { refusal }).pipe(
    Schema.decodeTo(Schema.toType(position), {
      decode: SchemaGetter.transformEffect((text) =>
        Effect.mapError(Effect.fromOption(read(text)), () => new SchemaIssue.InvalidValue({ message: refusal }))
      ),
      encode: SchemaGetter.transform(Schema.encodeSync(written))
    })
  )
}

/** The cursor of a list of rows ordered by creation. */
export const PageCursor = cursorOf(
  Schema.Tuple([Schema.DateFromMillis.check(isStorableMoment), PagePosition.fields.id]).pipe(
    Schema.decodeTo(Schema.toType(PagePosition), {
      decode: SchemaGetter.transform(([createdAt, id]) => ({ createdAt, id })),
      encode: SchemaGetter.transform(({ createdAt, id }) => [createdAt, id] as const)
    })
  )
)

/** The cursor of a list of rows that are numbered: the number of the last one. */
export const SequenceCursor = cursorOf(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 })))

const usualLimit = 50

/**
 * How many rows of a list are asked for; `usual` is how many come when nobody says. A number in a query is a text; the public
 * document shows what it means.
 */
export const limitUpTo = (maximum: number, usual?: number) => {
  const range = { minimum: 1, maximum }
  return Schema.declare((value): value is string => typeof value === "string", {
    expected: "a text",
    toCodecStringTree: () => undefined
  }).pipe(
    Schema.check(
      Schema.makeFilter((text: string) => (isStorable(text) ? undefined : "must be an integer"), {
        toJsonSchema: () => ({ type: "integer", ...range, ...(usual !== undefined && { default: usual }) })
      })
    ),
    Schema.decodeTo(Schema.Int.check(Schema.isBetween(range)), SchemaTransformation.numberFromString)
  )
}

const longest = 1000

/** How many rows a page has, or looks at, of what is read to its end: 1000 at most, and when nobody says. */
export const longLimit = limitUpTo(longest, longest).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(longest)))

/** Query of a list of the admin API: at most `limit` rows after `cursor`, 50 when nobody says. */
export const PageQuery = {
  limit: limitUpTo(100, usualLimit).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(usualLimit))),
  cursor: Schema.optionalKey(PageCursor)
}
export type PageQuery = Schema.Struct.Type<typeof PageQuery>

/** A list of the admin API: `nextCursor` asks for the rows that follow, null after the last. */
export const pageOf = <Item extends Schema.Top>(item: Item) => pageWith(item, PageCursor)

/** The same of a list with cursors of another kind. */
export const pageWith = <Item extends Schema.Top, Cursor extends Schema.Top>(item: Item, cursor: Cursor) =>
  Schema.Struct({ data: Schema.Array(item), nextCursor: Schema.NullOr(cursor) })
