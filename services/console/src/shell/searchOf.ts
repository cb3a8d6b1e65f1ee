import { Option, Schema } from "effect"

/**
 * Returns the check of a screen's search parameters, all of which are optional. It keeps those that the schema takes, each by itself. The
 * others are undefined, because the router keeps those that are missing, as they are in the address.
 */
export const searchOf = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownOption(schema)
  const read = Schema.decodeUnknownSync(schema)
  return (search: Readonly<Record<string, unknown>>): A => {
    const given = Object.entries(search)
    return {
      ...Object.fromEntries(given.map(([name]) => [name, undefined])),
      ...read(Object.fromEntries(given.filter((one) => Option.isSome(decode(Object.fromEntries([one]))))))
    }
  }
}
