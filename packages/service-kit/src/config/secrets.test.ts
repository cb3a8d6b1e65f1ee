import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Config, ConfigProvider, Effect, Redacted } from "effect"
import { temporaryFolder } from "../testing/temporaryFolder.ts"
import {
  databaseUrl,
  optionalSecret,
  ownSecrets,
  type SecretList,
  secretCredential,
  secretList,
  secretSetting,
  secretText
} from "./secrets.ts"
import { readSettings } from "./settings.ts"

const withEnvironment = (env: Record<string, string>) =>
  Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))

const values = (list: SecretList) => list.map((entry) => Redacted.value(entry))

const forms: ReadonlyArray<readonly [string, (name: string) => Config.Config<unknown>, string, unknown]> = [
  ["a text", (name) => Config.map(secretText(name), Redacted.value), " any, text", " any, text"],
  ["a credential", (name) => Config.map(secretCredential(name), Redacted.value), "sk_test", "sk_test"],
  ["a URL", (name) => Config.map(databaseUrl(name), Redacted.value), "postgres://a:b@c/d", "postgres://a:b@c/d"],
  ["a list of one", (name) => Config.map(secretList(name), values), "one", ["one"]],
  ["a list", (name) => Config.map(secretList(name), values), "one, two,three ", ["one", "two", "three"]]
]

for (const [what, form, text, value] of forms) {
  it.effect(`${what} comes from its variable, or from a file whose last line break is removed`, () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder()
      assert.deepStrictEqual(yield* readSettings(form("X")).pipe(withEnvironment({ X: text })), value)
      for (const end of ["", "\n", "\r\n"]) {
        const file = join(folder, "secret")
        writeFileSync(file, `${text}${end}`)
        for (const variables of [{ X_FILE: file }, { X_FILE: file, X: "" }]) {
          assert.deepStrictEqual(yield* readSettings(form("X")).pipe(withEnvironment(variables)), value)
        }
      }
    }).pipe(Effect.scoped)
  )
}

it.effect("the error for a wrong file has its path, and never its content", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder()
    const at = (name: string) => join(folder, name)
    mkdirSync(at("folder"))
    writeFileSync(at("empty"), "")
    writeFileSync(at("blank"), " \n")
    writeFileSync(at("canary"), "canary secret")
    const wrong = [
      [at("missing"), `X_FILE names the file ${at("missing")}, which cannot be read (ENOENT).`],
      [at("folder"), `X_FILE names the file ${at("folder")}, which cannot be read (EISDIR).`],
      [at("empty"), `X_FILE names the file ${at("empty")}, which is empty.`],
      [at("blank"), `X_FILE names the file ${at("blank")}, which is empty.`],
      [at("canary"), "X has to be a list of texts without white space, separated by commas."]
    ] as const
    for (const [file, sentence] of wrong) {
      for (const config of [secretList("X"), optionalSecret(secretList, "X", "a secret of this test")]) {
        const error = yield* Effect.flip(readSettings<unknown>(config)).pipe(withEnvironment({ X_FILE: file }))
        assert.strictEqual(error.message, sentence)
        assert.notInclude(JSON.stringify(error), "canary secret")
      }
    }
  }).pipe(Effect.scoped)
)

it.effect("a variable and its file are not both set", () =>
  Effect.gen(function* () {
    const file = join(yield* temporaryFolder(), "secret")
    writeFileSync(file, "canary")
    const read = Effect.flip(readSettings(Config.option(secretText("X"))))
    const { message } = yield* read.pipe(withEnvironment({ X: "canary", X_FILE: file }))
    assert.strictEqual(message, "X and X_FILE are both set: remove one of them.")
  }).pipe(Effect.scoped)
)

it.effect("a secret without a variable and without a file is absent", () =>
  Effect.gen(function* () {
    assert.isUndefined(yield* readSettings(optionalSecret(secretText, "X", "a secret of this test")))
  }).pipe(withEnvironment({ X: "", X_FILE: "" }))
)

it.effect("no entry of a list that the operator makes up is empty, or short in production", () =>
  Effect.gen(function* () {
    const declared = secretSetting("X", "a long random text", "a secret of this test")
    const long = "a".repeat(32)
    const read = (X: string, NODE_ENV: string) => ownSecrets(declared).pipe(withEnvironment({ X, NODE_ENV }))
    assert.deepStrictEqual(values(yield* read("a,b", "test")), ["a", "b"])
    assert.deepStrictEqual(values(yield* read(`${long},${long}b`, "production")), [long, `${long}b`])
    const refusedAs = (X: string, NODE_ENV: string) =>
      Effect.map(Effect.flip(read(X, NODE_ENV)), ({ message }) => message)
    for (const text of ["a,", ",a", "a b"]) {
      assert.strictEqual(
        yield* refusedAs(text, "test"),
        "X has to be a list of texts without white space, separated by commas."
      )
    }
    for (const text of [`${long},${long.slice(1)}`, "a"]) {
      assert.strictEqual(
        yield* refusedAs(text, "production"),
        "X has to be a list of texts without white space, each of at least 32 characters, separated by commas."
      )
    }
  })
)
