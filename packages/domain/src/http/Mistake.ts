import { Schema } from "effect"

/** One mistake in a request. `path` is dotted (`user.email`, `products.0.id`, `body` for the whole). `reason` quotes no value. */
export const Mistake = Schema.Struct({ path: Schema.String, reason: Schema.String })
export type Mistake = typeof Mistake.Type

/** The most mistakes that one answer names. */
export const mostMistakes = 20

/** Returns mistakes as one text: `<path>, <reason>; <path>, <reason>`. */
export const mistakesText = (mistakes: ReadonlyArray<Mistake>, separator = ", "): string =>
  mistakes
    .slice(0, mostMistakes)
    .map(({ path, reason }) => `${path}${separator}${reason}`)
    .join("; ")
