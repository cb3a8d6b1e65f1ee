import { Option, Schema, type SchemaAST, SchemaGetter } from "effect"

/** A member of an answer that its contract says: it is written whatever a handler returns, which leaves it out. */
export const constant = <const Value extends SchemaAST.LiteralValue>(value: Value) =>
  Schema.Literal(value).pipe(
    Schema.decodeTo(Schema.optionalKey(Schema.Literal(value)), {
      decode: SchemaGetter.passthrough(),
      encode: SchemaGetter.transformOptional(() => Option.some(value))
    })
  )

/** A success as most endpoints answer it: `status` 200 and `success` true beside what the handler returns. */
export const ok = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct({ status: constant(200), success: constant(true), ...fields })

/** A success without `status`: `success` true beside what the handler returns. */
export const succeeded = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct({ success: constant(true), ...fields })
