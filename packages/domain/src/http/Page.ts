import { Schema } from "effect"
import { Text } from "./Text.ts"

/** Query of a list of the admin API: at most `limit` rows (1-100, default 50) after `cursor`. */
export const PageQuery = {
  limit: Schema.optional(Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 100 }))),
  cursor: Schema.optional(Text)
}
export type PageQuery = { readonly limit?: number | undefined; readonly cursor?: string | undefined }

/** A list of the admin API: `nextCursor` asks for the rows that follow, null after the last. */
export const pageOf = <Item extends Schema.Top>(item: Item) =>
  Schema.Struct({ data: Schema.Array(item), nextCursor: Schema.NullOr(Schema.String) })
