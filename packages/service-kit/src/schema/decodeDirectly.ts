import { Effect, Schema } from "effect"
import { plainDecoder } from "./plainDecoder.ts"
import { notTaken } from "./plainShapes.ts"

/**
 * Decodes as `Schema.decodeUnknownEffect` does, by plain functions that are made of the schema once. What they do not take
 * goes the library's way, which says what is wrong with it.
 */
export const decodeDirectly = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = plainDecoder(schema.ast)
  const decodeByLibrary = Schema.decodeUnknownEffect(schema)
  const isTaken = (value: unknown): value is A => value !== notTaken
  return (input: unknown): Effect.Effect<A, Schema.SchemaError> => {
    const value = decode(input)
    return isTaken(value) ? Effect.succeed(value) : decodeByLibrary(input)
  }
}
