import { Option, Schema } from "effect"

const Position = Schema.fromJsonString(Schema.Tuple([Schema.Int, Schema.String]))
const decode = Schema.decodeUnknownOption(Position)
const encode = Schema.encodeSync(Position)

/** Where a page of rows ordered by creation begins: after the row created then, with this id. */
export interface PagePosition {
  readonly createdAt: Date
  readonly id: string
}

/** A page of a list, as the admin API answers it: `nextCursor` asks for what follows. */
export interface Page<Item> {
  readonly data: ReadonlyArray<Item>
  readonly nextCursor: string | null
}

const oldest: PagePosition = { createdAt: new Date(0), id: "00000000-0000-0000-0000-000000000000" }
const newest: PagePosition = { createdAt: new Date("9999-12-31"), id: "ffffffff-ffff-ffff-ffff-ffffffffffff" }

const positionFrom = (first: PagePosition) => (cursor: string | undefined) =>
  cursor === undefined
    ? first
    : Option.match(decode(Buffer.from(cursor, "base64url").toString()), {
        onNone: () => first,
        onSome: ([millis, id]) => ({ createdAt: new Date(millis), id })
      })

/** The position of a cursor in a list, oldest first; the first page when there is none, or when it is not one of ours. */
export const pagePosition = positionFrom(oldest)

/** The position of a cursor in a list, newest first. */
export const newestFirstPosition = positionFrom(newest)

/** Cuts `limit + 1` rows to a page: one row more than asked for says that there is a next page. */
export const pageFrom = <Row extends { readonly createdAt: Date; readonly id: string }>(
  rows: ReadonlyArray<Row>,
  limit: number
): Page<Row> => {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  const nextCursor =
    rows.length <= limit || last === undefined
      ? null
      : Buffer.from(encode([last.createdAt.getTime(), last.id])).toString("base64url")
  return { data, nextCursor }
}
