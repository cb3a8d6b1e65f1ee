import { assert, it } from "@effect/vitest"
import { Config, ConfigProvider, Duration, Effect, Redacted } from "effect"
import { databaseUrl, secret, secretSetting, secretText, secretUrl } from "./secrets.ts"
import {
  countSetting,
  durationSetting,
  isProductionSetting,
  portSetting,
  readSettings,
  urlSetting,
  waitSetting
} from "./settings.ts"

const withEnvironment = (env: Record<string, string>) =>
  Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))

const seconds = (name: string) => Config.map(durationSetting(name), Duration.toSeconds)

const valid: ReadonlyArray<readonly [string, Config.Config<unknown>, string, unknown]> = [
  ["a port", portSetting("X"), "8080", 8080],
  ["the highest port", portSetting("X", 9000), "9000", 9000],
  ["a count", countSetting("X"), "20", 20],
  ["seconds", seconds("X"), "300", 300],
  ["a time with its unit", seconds("X"), "5 minutes", 300],
  ["no wait", Config.map(waitSetting("X"), Duration.toSeconds), "0", 0],
  ["no wait with its unit", Config.map(waitSetting("X"), Duration.toSeconds), "0 seconds", 0],
  ["a wait", Config.map(waitSetting("X"), Duration.toSeconds), "2 minutes", 120],
  ["a URL", urlSetting("X"), "https://care.example.com/a", "https://care.example.com/a"],
  ["a database", Config.map(databaseUrl("X"), Redacted.value), "postgres://a:b@host/c", "postgres://a:b@host/c"],
  ["production", isProductionSetting, "production", true],
  ["development", isProductionSetting, "development", false]
]

for (const [what, config, input, value] of valid) {
  it.effect(`reads ${what}`, () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* readSettings(config), value)
    }).pipe(withEnvironment({ X: input, NODE_ENV: input }))
  )
}

const port = "X has to be a port from 1 to 65535, for example 8080."
const count = "X has to be a whole number from 1."
const time = "X has to be a number of seconds above 0, such as 300, or a time with its unit, such as 5 minutes."
const wait = "X has to be a number of seconds, such as 300, or a time with its unit, such as 5 minutes, or 0 for none."
const url = "X has to be a URL such as http://127.0.0.1:8080."
const database = "X has to be a URL such as postgresql://user:password@host/database."

const invalid: ReadonlyArray<readonly [Config.Config<unknown>, string, string]> = [
  ...["abc", "0", "-1", "80.5", "65536", "1e3", "0x50"].map((input) => [portSetting("X"), input, port] as const),
  [portSetting("X", 9000), "9001", "X has to be a port from 1 to 9000, for example 8080."],
  ...["abc", "0", "-5", "2.5", "9".repeat(16)].map((input) => [countSetting("X"), input, count] as const),
  ...["abc", "0", "0 seconds", "-5 minutes", "5 moons", "Infinity"].map(
    (input) => [durationSetting("X"), input, time] as const
  ),
  ...["abc", "-1", "-5 minutes", "Infinity"].map((input) => [waitSetting("X"), input, wait] as const),
  ...["abc", "host:80", "ftp://host"].map((input) => [urlSetting("X"), input, url] as const),
  ...["abc", "mysql://a:b@c/d"].map((input) => [databaseUrl("X"), input, database] as const),
  [secretUrl(/^smtps?:$/, "smtp://a:b@c")("X"), "ftp://secret", "X has to be a URL such as smtp://a:b@c."],
  [isProductionSetting, "prod", 'NODE_ENV has to be "development" | "test" | "production".'],
  [Config.Int("X"), "2.5", "X has to be an integer."]
]

for (const [config, input, sentence] of invalid) {
  it.effect(`answers ${input.slice(0, 20)} with: ${sentence}`, () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(readSettings(config))
      assert.strictEqual(error.message, sentence)
      const withDefault = yield* Effect.flip(readSettings(Config.option(config)))
      assert.strictEqual(withDefault.message, sentence)
    }).pipe(withEnvironment({ X: input, NODE_ENV: input }))
  )
}

it.effect("an empty variable counts as absent", () =>
  Effect.gen(function* () {
    for (const [config] of invalid.slice(0, -2)) {
      assert.strictEqual(yield* readSettings(Config.withDefault(config, "default")), "default")
    }
    assert.isFalse(yield* readSettings(isProductionSetting))
  }).pipe(withEnvironment({ X: "", NODE_ENV: "" }))
)

it.effect("a missing or empty secret is named, with instructions for its value", () =>
  Effect.gen(function* () {
    for (const name of ["EMPTY", "ABSENT"]) {
      const { message } = yield* Effect.flip(
        secret(secretSetting(name, "a long random text", "a secret of this test"), secretText)
      )
      assert.strictEqual(
        message,
        `${name} is missing: set it to a long random text (the root's start command makes one up).`
      )
    }
  }).pipe(withEnvironment({ EMPTY: "" }))
)
