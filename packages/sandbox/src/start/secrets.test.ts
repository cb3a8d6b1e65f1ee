import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Record } from "effect"
import { readSecrets, secretsFile } from "./secrets.ts"

const withEnvironment = (environment: Record<string, string>) =>
  Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(environment))

const all = {
  ADMIN_TOKEN: "a",
  INTERNAL_SECRET: "b",
  JWT_SECRET: "c",
  PHI_KEY: "k1:d",
  STRIPE_SECRET_KEY: "sk_test_e",
  STRIPE_WEBHOOK_SECRET: "whsec_f"
}

it.effect("generates missing secrets once, in a file that only its owner can read", () =>
  Effect.gen(function* () {
    const folder = join(yield* temporaryFolder(), "data")
    const generated = yield* readSecrets(folder, false)
    assert.match(generated.ADMIN_TOKEN, /^[\w-]{43}$/)
    assert.match(generated.INTERNAL_SECRET, /^[\w-]{43}$/)
    assert.match(generated.PHI_KEY, /^k[0-9a-f]{6}:[\w+/]{43}=$/)
    assert.match(generated.STRIPE_SECRET_KEY, /^sk_test_\w{64}$/)
    assert.match(generated.STRIPE_WEBHOOK_SECRET, /^whsec_\w{64}$/)
    assert.strictEqual(new Set(Object.values(generated)).size, 17)
    assert.strictEqual(statSync(secretsFile(folder)).mode & 0o777, 0o600)
    assert.deepStrictEqual(yield* readSecrets(folder, false), generated)
  }).pipe(Effect.scoped, withEnvironment({}))
)

it.effect("takes the environment's, keeps them out of the file, and counts an empty one as missing", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder()
    const secrets = yield* readSecrets(folder, false)
    assert.strictEqual(secrets.JWT_SECRET, "from outside")
    assert.match(secrets.ADMIN_TOKEN, /^[\w-]{43}$/)
    const stored = readFileSync(secretsFile(folder), "utf8")
    assert.include(stored, secrets.ADMIN_TOKEN)
    assert.notInclude(stored, "from outside")
  }).pipe(Effect.scoped, withEnvironment({ JWT_SECRET: "from outside", ADMIN_TOKEN: "" }))
)

for (const name of Record.keys(all)) {
  it.effect(`production does not start without ${name}`, () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(readSecrets(yield* temporaryFolder(), true))
      assert.match(message, new RegExp(`^${name} is missing: `))
    }).pipe(Effect.scoped, withEnvironment({ ...all, [name]: "" }))
  )
}

it.effect("production takes all secrets from the environment", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder()
    assert.deepInclude(yield* readSecrets(folder, true), {
      ...all,
      PHARMACY_API_TOKEN: "",
      PHARMACY_WEBHOOK_SECRET: "",
      SCHEDULING_API_TOKEN: "",
      SCHEDULING_WEBHOOK_SECRET: "",
      TEST_STRIPE_SECRET_KEY: ""
    })
    assert.deepInclude(yield* readSecrets(folder, false), all)
  }).pipe(Effect.scoped, withEnvironment(all))
)

it.effect("never replaces a file that it cannot read", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder()
    writeFileSync(secretsFile(folder), '{"PHI_KEY": "k1:')
    const { message } = yield* Effect.flip(readSecrets(folder, false))
    assert.match(message, /secrets\.json is not a valid file of secrets: repair it/)
    assert.strictEqual(readFileSync(secretsFile(folder), "utf8"), '{"PHI_KEY": "k1:')
  }).pipe(Effect.scoped, withEnvironment({}))
)

it.effect("takes secrets from files, and fails with the path of a wrong one", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder()
    const file = join(folder, "jwt")
    writeFileSync(file, "new,old\n")
    const read = (variables: Record<string, string>) => readSecrets(folder, false).pipe(withEnvironment(variables))
    assert.strictEqual((yield* read({ JWT_SECRET_FILE: file })).JWT_SECRET, "new,old")
    assert.notInclude(readFileSync(secretsFile(folder), "utf8"), "new,old")
    const both = yield* Effect.flip(read({ JWT_SECRET_FILE: file, JWT_SECRET: "a" }))
    assert.strictEqual(both.message, "JWT_SECRET and JWT_SECRET_FILE are both set: remove one of them.")
    const { message } = yield* Effect.flip(read({ PHI_KEY_FILE: "/nowhere" }))
    assert.match(message, /^PHI_KEY_FILE names the file \/nowhere, which cannot be read/)
  }).pipe(Effect.scoped)
)
