import { Option, Schema, type SchemaAST, SchemaGetter } from "effect"

const always = <Value>(schema: Schema.Codec<Value>, value: Value) =>
  schema.pipe(
    Schema.decodeTo(Schema.optionalKey(schema), {
      decode: SchemaGetter.passthrough(),
      encode: SchemaGetter.transformOptional(() => Option.some(value))
    })
  )

/** A member of an answer that its contract says: it is written whatever a handler returns, which leaves it out. */
export const constant = <const Value extends SchemaAST.LiteralValue>(value: Value) =>
  always(Schema.Literal(value), value)

/** The same of a text that may be put otherwise one day: the public document does not quote it. */
export const saying = (text: string) => always(Schema.String, text)

/** A success as most endpoints answer it: `status` 200 and `success` true beside what the handler returns. */
export const ok = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct({ status: constant(200), success: constant(true), ...fields })

/** A success without `status`: `success` true beside what the handler returns. */
export const succeeded = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct({ success: constant(true), ...fields })
