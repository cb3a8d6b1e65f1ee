import { Option, Schema, type SchemaAST, SchemaGetter } from "effect"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

const always = <Value>(schema: Schema.Codec<Value>, value: Value) =>
  schema.pipe(
    Schema.decodeTo(Schema.optionalKey(schema), {
      decode: SchemaGetter.passthrough(),
      encode: SchemaGetter.transformOptional(() => Option.some(value))
    })
  )

/** A member of an answer with a constant value, which handlers leave out. */
export const constant = <const Value extends SchemaAST.LiteralValue>(value: Value) =>
  always(Schema.Literal(value), value)

/** A constant text whose wording may change. The public document has it as an example alone. */
export const saying = (text: string) => always(Schema.String.annotate({ examples: [text] }), text)

/** The success of most endpoints: `status` 200 and `success` true, with the result of the handler. */
export const ok = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct({ status: constant(200), success: constant(true), ...fields })

/** A success without `status`: `success` true, with the result of the handler. */
export const succeeded = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct({ success: constant(true), ...fields })

/** A 201. The status is on a wrapper, because a schema with another annotation would get another name in the public document. */
export const created = <S extends Schema.Top>(schema: S) => Schema.suspend(() => schema).pipe(HttpApiSchema.status(201))
