import { readFileSync } from "node:fs"
import { Array as Arr, Config, ConfigProvider, Effect, Option, Redacted } from "effect"
import { BootError } from "./BootError.ts"
import {
  documented,
  isProductionSetting,
  isUrl,
  readSettings,
  type Setting,
  type SettingDoc,
  textSetting
} from "./settings.ts"

/** Returns the variable with the path of a file that has the secret of a variable. */
export const fileVariable = (name: string): string => `${name}_FILE`

const refusal = (message: string) => new ConfigProvider.SourceError({ message })

// The errors have the path, and never the content.
const readSecretFile = (variable: string, path: string) =>
  Effect.try({
    try: () => readFileSync(path, "utf8").replace(/\r?\n$/, ""),
    catch: (error) =>
      refusal(
        `${variable} names the file ${path}, which cannot be read (${error instanceof Error && "code" in error ? error.code : "unknown error"})`
      )
  }).pipe(
    Effect.filterOrFail(
      (text) => text.trim() !== "",
      () => refusal(`${variable} names the file ${path}, which is empty`)
    ),
    Effect.mapError((cause) => new Config.ConfigError(cause))
  )

/** Makes a setting that may come from its variable, or from the file that `<name>_FILE` names, without the line break at its end. */
const orFile =
  <A>(form: (name: string) => Config.Config<A>) =>
  (name: string): Config.Config<A> =>
    Config.flatMap(
      Config.all({
        text: Config.option(Config.String(name)),
        path: Config.option(Config.String(fileVariable(name)))
      }),
      ({ path, text }) => {
        if (Option.isNone(path)) return form(name)
        if (Option.isSome(text)) {
          return Config.fail(refusal(`${name} and ${fileVariable(name)} are both set: remove one of them`))
        }
        return Config.mapEffect(Config.succeed(path.value), (path) =>
          Effect.flatMap(readSecretFile(fileVariable(name), path), (text) =>
            form(name).parse(ConfigProvider.fromEnvRecord({ [name]: text }))
          )
        )
      }
    )

/** Makes a setting of a secret of any form. */
export const secretText = orFile((name) => Config.Redacted(name))

const asciiWithoutSpace = /^[\x21-\x7e]+$/

/** Makes a setting of a secret that is sent in a header. */
export const secretCredential = orFile((name) =>
  Config.map(
    textSetting(name, "a text of ASCII without white space", (text) => asciiWithoutSpace.test(text)),
    (text) => Redacted.make(text)
  )
)

/** Makes a setting of a URL that may have credentials, with one of the protocols. */
export const secretUrl = (protocols: RegExp, example: string) =>
  orFile((name) =>
    Config.map(
      textSetting(name, `a URL such as ${example}`, (text) => isUrl(text, protocols)),
      (url) => Redacted.make(url)
    )
  )

export const databaseUrl = secretUrl(/^postgres(ql)?:$/, "postgresql://user:password@host/database")

/** One or more secrets. The first signs, and all are accepted: a new one is added behind, put first, and the old one removed. */
export type SecretList = readonly [first: Redacted.Redacted, ...others: ReadonlyArray<Redacted.Redacted>]

const entriesOf = (text: string): ReadonlyArray<string> => text.split(",").map((entry) => entry.trim())

/** Returns the first of one or more secrets, separated by commas. */
export const firstSecret = (text: string): string => entriesOf(text)[0] ?? ""

/** Returns one or more secrets, separated by commas. */
export const secretsIn = (text: string): SecretList => {
  const [first = "", ...others] = entriesOf(text)
  return [Redacted.make(first), ...others.map((entry) => Redacted.make(entry))]
}

/** Makes a setting of one or more secrets, separated by commas. `entries` completes the message "has to be a list of ...". */
export const secretListOf = (entries: string, fits: (entry: string) => boolean) =>
  orFile((name) =>
    Config.map(
      textSetting(name, `a list of ${entries}, separated by commas`, (text) => entriesOf(text).every(fits)),
      secretsIn
    )
  )

/** Makes a setting of one or more secrets of any form but with white space. */
export const secretList = secretListOf("texts without white space", (entry) => /^\S+$/.test(entry))

/** A secret without which the process does not start. `purpose` completes the message "is missing: set it to ...". */
interface SecretSetting {
  readonly purpose: string
  readonly doc: SettingDoc
}

export const secretSetting = (name: string, purpose: string, meaning: string): SecretSetting => ({
  purpose,
  doc: { name, byDefault: "none", meaning, isSecret: true }
})

/** Makes a setting of a secret that is undefined if it is absent. */
export const optionalSecret = <A>(
  form: (name: string) => Config.Config<A>,
  name: string,
  meaning: string
): Setting<A | undefined> =>
  documented(Config.withDefault(form(name), undefined), { name, byDefault: "none", meaning, isSecret: true })

/** Reads a secret. Fails with a sentence if it is missing or invalid. */
export const secret = <A>(
  { doc: { name }, purpose }: SecretSetting,
  form: (name: string) => Config.Config<A>
): Effect.Effect<A, BootError> =>
  Effect.flatMap(
    readSettings(Config.option(form(name))),
    Option.match({
      onNone: () =>
        new BootError({ message: `${name} is missing: set it to ${purpose} (the root's start command makes one up).` }),
      onSome: Effect.succeed
    })
  )

/** The fewest characters of a secret in production. */
export const minSecretLength = 32

/** Makes a setting of one or more secrets that an operator makes up. */
export const longSecretList = secretListOf(
  `texts without white space, each of at least ${minSecretLength} characters`,
  (entry) => /^\S+$/.test(entry) && entry.length >= minSecretLength
)

// Returns no secrets for the word `off`.
const orOff = (form: (name: string) => Config.Config<SecretList>) =>
  orFile((name) =>
    Config.flatMap(
      Config.String(name),
      (text): Config.Config<ReadonlyArray<Redacted.Redacted>> => (text === "off" ? Config.succeed([]) : form(name))
    )
  )

type Given = Redacted.Redacted | ReadonlyArray<Redacted.Redacted> | undefined

const valuesOf = (given: Given): ReadonlyArray<string> => Arr.ensure(given ?? []).map(Redacted.value)

/** Refuses secrets of a test account (`TEST_<name>`) among those of the live one: it could not be told which account an event is from. */
export const requireOtherSecrets = (name: string, live: Given, test: Given): Effect.Effect<void, BootError> => {
  const ofLive = valuesOf(live)
  return valuesOf(test).some((value) => ofLive.includes(value))
    ? Effect.fail(new BootError({ message: `TEST_${name} has a value of ${name}: set it to one of another account.` }))
    : Effect.void
}

/** Reads secrets that the operator makes up, or none if the setting is `off`. None must be short in production. */
export const ownSecretsOrOff = (declared: SecretSetting): Effect.Effect<ReadonlyArray<Redacted.Redacted>, BootError> =>
  Effect.flatMap(readSettings(isProductionSetting), (isProduction) =>
    secret(declared, orOff(isProduction ? longSecretList : secretList))
  )

/** Reads secrets that the operator makes up. None must be short in production. */
export const ownSecrets = (declared: SecretSetting): Effect.Effect<SecretList, BootError> =>
  Effect.flatMap(readSettings(isProductionSetting), (isProduction) =>
    secret(declared, isProduction ? longSecretList : secretList)
  )
