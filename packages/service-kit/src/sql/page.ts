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

const firstPage: PagePosition = { createdAt: new Date(0), id: "00000000-0000-0000-0000-000000000000" }

/** The position of a cursor; the first page when there is none, or when it is not one of ours. */
export const pagePosition = (cursor: string | undefined): PagePosition =>
  cursor === undefined
    ? firstPage
    : Option.match(decode(Buffer.from(cursor, "base64url").toString()), {
        onNone: () => firstPage,
        onSome: ([millis, id]) => ({ createdAt: new Date(millis), id })
      })

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
