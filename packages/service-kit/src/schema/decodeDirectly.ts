import { Effect, Schema } from "effect"
import { notTaken, plainDecoder } from "./plainDecoder.ts"

const directly =
  <Output, Input>(
    plain: (input: unknown) => unknown,
    library: (input: Input) => Effect.Effect<Output, Schema.SchemaError>
  ) =>
  (input: Input): Effect.Effect<Output, Schema.SchemaError> => {
    const output = plain(input)
    const isTaken = (value: unknown): value is Output => value !== notTaken
    return isTaken(output) ? Effect.succeed(output) : library(input)
  }

/**
 * Decodes as `Schema.decodeUnknownEffect` does, by plain functions that are made of the schema once. What they do not take
 * goes the library's way, which says what is wrong with it.
 */
export const decodeDirectly = <A, I>(schema: Schema.Codec<A, I>) =>
  directly(plainDecoder(schema.ast), Schema.decodeUnknownEffect(schema))

/** Encodes as `Schema.encodeEffect` does, in the same way. */
export const encodeDirectly = <A, I>(schema: Schema.Codec<A, I>) =>
  directly(plainDecoder(Schema.flip(schema).ast), Schema.encodeEffect(schema))
