import { Config, type Duration, Effect, Option, type Redacted, Schema, SchemaGetter } from "effect"
import { BootError } from "./BootError.ts"

/** Reads settings from the environment; what does not fit becomes one sentence. */
export const readSettings = <A>(config: Config.Config<A>): Effect.Effect<A, BootError> =>
  Effect.gen(function* () {
    return yield* config
  }).pipe(
    Effect.mapError(
      (error) => new BootError({ message: `The configuration is wrong: ${error.message.replaceAll("\n", " ")}.` })
    )
  )

/** A secret that has no default: its absence is a sentence that names it. */
export const secret = (name: string, purpose: string): Effect.Effect<Redacted.Redacted, BootError> =>
  Effect.flatMap(
    readSettings(Config.option(Config.Redacted(name))),
    Option.match({
      onNone: () =>
        new BootError({ message: `${name} is missing: set it to ${purpose} (the root's start command makes one up).` }),
      onSome: Effect.succeed
    })
  )

// What is a number alone is one of seconds.
const SecondsOrDuration = Schema.String.pipe(
  Schema.decode({
    decode: SchemaGetter.transform((text) => (/^\s*\d+\s*$/.test(text) ? `${text.trim()} seconds` : text)),
    encode: SchemaGetter.passthrough()
  }),
  Schema.decodeTo(Schema.DurationFromString)
)

/** A duration from the environment: a number of seconds (`300`) or with its unit (`5 minutes`). */
export const durationSetting = (name: string): Config.Config<Duration.Duration> =>
  Config.schema(SecondsOrDuration, name)
