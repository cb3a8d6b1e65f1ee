import { assert, it } from "@effect/vitest"
import { forEveryService } from "../provision.ts"
import { environmentOf, type ProcessName, variables } from "./environment.ts"
import type { StartSettings } from "./StartSettings.ts"

const settings: StartSettings = {
  port: 8080,
  host: "0.0.0.0",
  dataDirectory: "/data",
  databaseUrls: forEveryService(undefined),
  publicUrl: "http://localhost:8080",
  isProduction: false,
  isTerminal: false
}

const secrets = {
  ADMIN_TOKEN: "the-admin-token",
  INTERNAL_SECRET: "the-internal-secret",
  JWT_SECRET: "the-jwt-secret",
  PHI_KEY: "the-phi-key",
  PHARMACY_API_TOKEN: "the-pharmacy-token",
  PHARMACY_WEBHOOK_SECRET: "the-pharmacy-secret",
  SCHEDULING_API_TOKEN: "the-scheduling-token",
  SCHEDULING_WEBHOOK_SECRET: "the-scheduling-secret",
  STRIPE_SECRET_KEY: "the-stripe-key",
  STRIPE_WEBHOOK_SECRET: "the-stripe-secret",
  TEST_PHARMACY_API_TOKEN: "the-test-pharmacy-token",
  TEST_PHARMACY_WEBHOOK_SECRET: "the-test-pharmacy-secret",
  TEST_SCHEDULING_API_TOKEN: "the-test-scheduling-token",
  TEST_SCHEDULING_WEBHOOK_SECRET: "the-test-scheduling-secret",
  TEST_STRIPE_SECRET_KEY: "the-test-stripe-key",
  TEST_STRIPE_WEBHOOK_SECRET: "the-test-stripe-secret",
  POSTGRES_PASSWORD: "the-postgres-password"
}

const provided = {
  ...secrets,
  PATH: "/bin",
  HOST: "192.0.2.1",
  SMTP_URL: "smtp://mail",
  SMS_API_URL: "https://sms",
  AWS_SECRET_ACCESS_KEY: "of-somebody-else",
  DATABASE_URL: "postgresql://owner",
  READ_DATABASE_URL: "postgresql://owner@standby",
  DATABASE_URL_FILE: "/secrets/owner",
  INTERNAL_SECRET_FILE: "/secrets/internal",
  REDIS_URL_FILE: "/secrets/redis"
}

const names: ReadonlyArray<ProcessName> = ["gateway", "auth", "cases", "payments", "scheduling"]

const readers: Readonly<Record<string, ReadonlyArray<ProcessName>>> = {
  ADMIN_TOKEN: ["gateway"],
  INTERNAL_SECRET: names,
  JWT_SECRET: ["auth"],
  PHI_KEY: ["auth", "cases", "payments", "scheduling"],
  PHARMACY_API_URL: ["cases"],
  PHARMACY_API_TOKEN: ["cases"],
  PHARMACY_WEBHOOK_SECRET: ["cases"],
  SCHEDULING_API_TOKEN: ["scheduling"],
  SCHEDULING_WEBHOOK_SECRET: ["scheduling"],
  TEST_STRIPE_API_URL: ["payments"],
  TEST_STRIPE_SECRET_KEY: ["payments"],
  TEST_PHARMACY_API_URL: ["cases"],
  TEST_SCHEDULING_API_URL: ["scheduling"],
  POSTGRES_PASSWORD: [],
  INTERNAL_SECRET_FILE: [],
  DATABASE_URL_FILE: [],
  REDIS_URL_FILE: ["gateway"],
  SMTP_URL: ["auth"],
  SMS_API_URL: ["auth"],
  AWS_SECRET_ACCESS_KEY: [],
  PATH: names
}

for (const name of names) {
  it(`gives the ${name} process what it reads, and nothing else of the start command's`, () => {
    const url = `postgresql://care_${name}:own@primary/care`
    const withStandby = { ...settings, readDatabaseUrl: "postgresql://owner@standby:5433/other" }
    const environment = environmentOf(name, provided, withStandby, secrets, name === "gateway" ? undefined : url)
    for (const [variable, who] of Object.entries(readers)) {
      assert.strictEqual(environment[variable] !== undefined, who.includes(name), variable)
    }
    assert.strictEqual(environment["DATABASE_URL"], name === "gateway" ? undefined : url)
    const standby = name === "gateway" ? undefined : `postgresql://care_${name}:own@standby:5433/care`
    assert.strictEqual(environment["READ_DATABASE_URL"], standby)
    assert.strictEqual(environment["NODE_ENV"], "development")
    assert.strictEqual(environment["HOST"], name === "gateway" ? "0.0.0.0" : "127.0.0.1")
    assert.include(variables[name], "INTERNAL_SECRET")
    const json = JSON.stringify(environment)
    assert.include(json, secrets.INTERNAL_SECRET)
    assert.notInclude(json, "somebody-else")
    assert.notInclude(json, "postgresql://owner")
  })
}
