import { Effect, Schema } from "effect"
import { plainDecoder } from "./plainDecoder.ts"
import { notTaken } from "./plainShapes.ts"

const isTaken = <A>(value: unknown): value is A => value !== notTaken

/**
 * Decodes as `Schema.decodeUnknownEffect` does, by plain functions that are made of the schema once. What they do not take
 * goes the library's way, which says what is wrong with it.
 */
export const decodeDirectly = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = plainDecoder(schema.ast)
  const decodeByLibrary = Schema.decodeUnknownEffect(schema)
  return (input: unknown): Effect.Effect<A, Schema.SchemaError> => {
    const value = decode(input)
    return isTaken<A>(value) ? Effect.succeed(value) : decodeByLibrary(input)
  }
}

/** The same as `Schema.decodeUnknownSync`, which throws what is wrong. */
export const decodeDirectlySync = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = plainDecoder(schema.ast)
  const decodeByLibrary = Schema.decodeUnknownSync(schema)
  return (input: unknown): A => {
    const value = decode(input)
    return isTaken<A>(value) ? value : decodeByLibrary(input)
  }
}
