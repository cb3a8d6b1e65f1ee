import { Config, Duration, Effect, Option, Schema, SchemaGetter, SchemaIssue } from "effect"
import { BootError } from "./BootError.ts"

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

// Does not quote the value, which may be a secret.
const sentence = ({ cause }: Config.ConfigError): string => {
  if (cause._tag === "SourceError") return `${cause.message}.`
  const [first] = issuesOf(cause.issue).issues
  return `${first?.path?.join("_")} ${first?.message.replace(/^Expected /, "has to be ")}.`
}

/** Reads settings from the environment. Fails with a sentence about the first invalid one. */
export const readSettings = <A>(config: Config.Config<A>): Effect.Effect<A, BootError> =>
  Effect.mapError(
    Effect.gen(function* () {
      return yield* config
    }),
    (error) => new BootError({ message: sentence(error) })
  )

/** The documentation of a setting in docs/configuration.md. */
export interface SettingDoc {
  readonly name: string
  /** The default, in words. */
  readonly byDefault: string
  readonly meaning: string
  /** True if the setting may come as a file (`orFile`). */
  readonly isSecret?: true
}

export type Setting<A> = Config.Config<A> & { readonly doc: SettingDoc }

export const documented = <A>(config: Config.Config<A>, doc: SettingDoc): Setting<A> =>
  Object.assign(
    Config.map(config, (value) => value),
    { doc }
  )

const units = [
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000]
] as const

const describeDefault = (value: unknown): string => {
  if (Array.isArray(value) && value.length === 0) return "none"
  if (!Duration.isDuration(value)) return `\`${value}\``
  const millis = Duration.toMillis(value)
  const [unit, length] = units.find(([, length]) => millis % length === 0) ?? ["milli", 1]
  const count = millis / length
  return `\`${count} ${unit}${count === 1 ? "" : "s"}\``
}

export const setting = <A>(
  form: (name: string) => Config.Config<A>,
  name: string,
  fallback: A,
  meaning: string
): Setting<A> =>
  documented(form(name).pipe(Config.withDefault(fallback)), { name, byDefault: describeDefault(fallback), meaning })

/** Makes a setting that is undefined if it is absent. */
export const optionalSetting = <A>(
  form: (name: string) => Config.Config<A>,
  name: string,
  meaning: string,
  byDefault = "none"
): Setting<A | undefined> =>
  documented(Config.map(Config.option(form(name)), Option.getOrUndefined), { name, byDefault, meaning })

const text = (expected: string, fits: (value: string) => boolean) =>
  Schema.String.check(Schema.makeFilter(fits, { message: `has to be ${expected}` }))

const wholeNumber = (name: string, expected: string, from: number, to: number) =>
  Config.schema(
    text(expected, (value) => /^\d{1,15}$/.test(value) && Number(value) >= from && Number(value) <= to).pipe(
      Schema.decodeTo(Schema.Int, { decode: SchemaGetter.transform(Number), encode: SchemaGetter.transform(String) })
    ),
    name
  )

/** Makes a setting of a whole number from 1, up to `highest` if there is one. */
export const countSetting = (name: string, highest?: number): Config.Config<number> =>
  wholeNumber(
    name,
    highest === undefined ? "a whole number from 1" : `a whole number from 1 to ${highest}`,
    1,
    highest ?? Number.MAX_SAFE_INTEGER
  )

/** Makes a setting of a port to listen on. `highest` leaves room for other ports above it. */
export const portSetting = (name: string, highest = 65_535): Config.Config<number> =>
  wholeNumber(name, `a port from 1 to ${highest}, for example 8080`, 1, highest)

/** Makes a setting that is `true` or `false`. */
export const booleanSetting = (name: string): Config.Config<boolean> =>
  Config.map(Config.Literals(["true", "false"], name), (value) => value === "true")

/** Makes a setting of a text that has to satisfy `fits`. `expected` completes the message "has to be ...". */
export const textSetting = (name: string, expected: string, fits: (value: string) => boolean): Config.Config<string> =>
  Config.schema(text(expected, fits), name)

// A number without a unit is in seconds.
const SecondsOrDuration = Schema.String.pipe(
  Schema.decode({
    decode: SchemaGetter.transform((value) => (/^\s*\d+\s*$/.test(value) ? `${value.trim()} seconds` : value)),
    encode: SchemaGetter.passthrough()
  }),
  Schema.decodeTo(Schema.DurationFromString)
)

const decodeDuration = Schema.decodeOption(SecondsOrDuration)

const durationOf = (name: string, expected: string, fits: (duration: Duration.Duration) => boolean) =>
  Config.schema(
    text(expected, (value) =>
      Option.exists(decodeDuration(value), (duration) => Duration.isFinite(duration) && fits(duration))
    ).pipe(Schema.decodeTo(SecondsOrDuration)),
    name
  )

/** Makes a setting of a positive duration: a number of seconds (`300`), or a number with a unit (`5 minutes`). */
export const durationSetting = (name: string): Config.Config<Duration.Duration> =>
  durationOf(
    name,
    "a number of seconds above 0, such as 300, or a time with its unit, such as 5 minutes",
    Duration.isPositive
  )

/** Makes a setting of a duration that may be 0. */
export const waitSetting = (name: string): Config.Config<Duration.Duration> =>
  durationOf(
    name,
    "a number of seconds, such as 300, or a time with its unit, such as 5 minutes, or 0 for none",
    (duration) => !Duration.isNegative(duration)
  )

/** Returns whether a text is a URL with one of the protocols. */
export const isUrl = (value: string, protocols: RegExp): boolean =>
  URL.canParse(value) && protocols.test(new URL(value).protocol)

/** Makes a setting of an HTTP URL. */
export const urlSetting = (name: string): Config.Config<string> =>
  textSetting(name, "a URL such as http://127.0.0.1:8080", (value) => isUrl(value, /^https?:$/))

/** Whether `NODE_ENV` is production. Another value is refused, because development is less strict. */
export const isProductionSetting: Setting<boolean> = documented(
  Config.Literals(["development", "test", "production"], "NODE_ENV").pipe(
    Config.withDefault("development"),
    Config.map((mode) => mode === "production")
  ),
  {
    name: "NODE_ENV",
    byDefault: "`development`",
    meaning:
      "`development`, `test` or `production`. In `production` logs are JSON and have only the requests with problems, and no secrets are generated"
  }
)

export const publicUrlSetting = optionalSetting(
  urlSetting,
  "PUBLIC_URL",
  "the URL at which callers reach the gateway. When it changes, the next sweep registers a new webhook subscription at the scheduling provider",
  "`http://localhost:PORT`"
)

export const dataDirectorySetting = setting(
  (name) => Config.String(name),
  "CARE_DATA_DIR",
  ".data",
  "the folder of the embedded database, the generated secrets and the demo organization"
)
