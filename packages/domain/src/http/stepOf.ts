import { Schema } from "effect"

/** A step that a sandbox simulates, by its name, with what it needs. */
export const stepOf = <const Name extends string, const Fields extends Schema.Struct.Fields>(
  name: Name,
  fields: Fields
) => Schema.Struct({ step: Schema.Literal(name), ...fields })
