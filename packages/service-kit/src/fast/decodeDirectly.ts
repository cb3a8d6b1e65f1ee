import { Effect, Schema } from "effect"
import { directDecoder } from "./directDecoder.ts"
import { notTaken } from "./directShapes.ts"
import { isFast } from "./pieces.ts"

const isTaken = <A>(value: unknown): value is A => value !== notTaken

/**
 * Decodes as `Schema.decodeUnknownEffect` does, by plain functions that are made of the schema once. What they do not take
 * goes the library's way, which says what is wrong with it.
 */
export const decodeDirectly = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = directDecoder(schema.ast)
  const decodeByLibrary = Schema.decodeUnknownEffect(schema)
  return (input: unknown): Effect.Effect<A, Schema.SchemaError> => {
    const value = isFast("decoding") ? decode(input) : notTaken
    return isTaken<A>(value) ? Effect.succeed(value) : decodeByLibrary(input)
  }
}
