import { Option, Schema } from "effect"

/** Returns the check of a screen's search parameters: what is not in their form counts as none. */
export const searchOf = <A>(schema: Schema.Codec<A, unknown>, none: A) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (search: Record<string, unknown>): A => Option.getOrElse(decode(search), () => none)
}
