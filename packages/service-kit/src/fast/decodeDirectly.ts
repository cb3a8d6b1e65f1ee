import { Effect, Schema } from "effect"
import { directDecoder } from "./directDecoder.ts"
import { notDecoded } from "./directShapes.ts"
import { isFast } from "./pieces.ts"

const isDecoded = <A>(value: unknown): value is A => value !== notDecoded

/**
 * Decodes as `Schema.decodeUnknownEffect` does, with plain functions that are made of the schema once. A value that they do not decode
 * goes to the library, which decodes it or says what is wrong with it.
 */
export const decodeDirectly = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = directDecoder(schema.ast)
  const decodeByLibrary = Schema.decodeUnknownEffect(schema)
  return (input: unknown): Effect.Effect<A, Schema.SchemaError> => {
    const value = isFast("decoding") ? decode(input) : notDecoded
    return isDecoded<A>(value) ? Effect.succeed(value) : decodeByLibrary(input)
  }
}
