import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { answerLimits, rateLimits, rateLimitVariable } from "@care/domain/http"
import { peers } from "@care/domain/peers"
import { findFreeBase, type ProcessName, variables } from "@care/sandbox"
import { BootError } from "@care/service-kit"
import { makeTestDatabase, temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { processes, processNames } from "./harness/Suite.ts"

const secrets = {
  ADMIN_TOKEN: "an-operator's-token-of-32-characters",
  INTERNAL_SECRET: "an-internal-secret-of-32-characters",
  JWT_SECRET: "a-secret-for-tokens-of-32-characters",
  PHI_KEY: `k1:${Buffer.alloc(32).toString("base64")}`,
  STRIPE_SECRET_KEY: "sk_test_key",
  STRIPE_WEBHOOK_SECRET: "whsec_of_the_stand-in-of-32-characters"
}

/** Makes an environment in which each process starts. */
const goodEnvironment = Effect.gen(function* () {
  const { url } = yield* makeTestDatabase
  return {
    ...secrets,
    DATABASE_URL: url,
    PORT: String(yield* findFreeBase([0])),
    AUDIT_OUTBOX_DIR: yield* temporaryFolder(),
    ERASURE_LIST_DIR: yield* temporaryFolder()
  }
})

type Environment = Readonly<Record<string, string>>

/** Starts a service in this process, and returns the variables that it read. */
const boot = Effect.fnUntraced(function* (name: ProcessName, env: Environment) {
  const inner = ConfigProvider.fromEnv({ env })
  const read = new Set<string>()
  const recording = ConfigProvider.make((path) => {
    read.add(path.join("_"))
    return inner.load(path)
  })
  yield* Effect.scoped(Layer.build(processes[name])).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, recording)
  )
  return read
})

const withoutFile = (variable: string) => variable.replace(/_FILE$/, "")

const isSecret = (variable: string) =>
  withoutFile(variable) in secrets ||
  [
    "CELLS",
    "DATABASE_URL",
    "READ_DATABASE_URL",
    "REDIS_URL",
    "SMTP_URL",
    "SMS_API_URL",
    "PHARMACY_API_TOKEN",
    "PHARMACY_WEBHOOK_SECRET",
    "SCHEDULING_API_TOKEN",
    "SCHEDULING_WEBHOOK_SECRET",
    "TEST_PHARMACY_API_TOKEN",
    "TEST_PHARMACY_WEBHOOK_SECRET",
    "TEST_SCHEDULING_API_TOKEN",
    "TEST_SCHEDULING_WEBHOOK_SECRET",
    "TEST_STRIPE_SECRET_KEY",
    "TEST_STRIPE_WEBHOOK_SECRET"
  ].includes(withoutFile(variable))

const isPeerUrl = (variable: string) => Object.values(peers).some(({ urlVariable }) => urlVariable === variable)

for (const name of processNames) {
  it.live(`the ${name} process is given every variable that it reads, and no other secret or URL of a service`, () =>
    Effect.gen(function* () {
      const read = [...(yield* boot(name, yield* goodEnvironment))].sort()
      assert.include(read, "INTERNAL_SECRET")
      const given = [...variables[name]].sort()
      assert.deepStrictEqual(
        read.filter((variable) => !given.includes(variable)),
        []
      )
      assert.deepStrictEqual(given.filter(isSecret), read.filter(isSecret))
      // Network policies allow the calls to those whose URLs a process is given.
      assert.deepStrictEqual(given.filter(isPeerUrl), read.filter(isPeerUrl))
    }).pipe(Effect.scoped)
  )
}

const missing = (variable: string) => new RegExp(`^${variable} is missing: set it to `)
const count = (variable: string) => ["0", new RegExp(`^${variable} has to be a whole number from 1\\.$`)] as const
const duration = (variable: string) => ["nonsense", new RegExp(`^${variable} has to be a number of seconds`)] as const
const url = (variable: string) => ["nonsense", new RegExp(`^${variable} has to be a URL such as http:`)] as const

const missingFile = (variable: string) =>
  ["/nowhere/secret", new RegExp(`^${variable} names the file /nowhere/secret, which cannot be read`)] as const

const token = (variable: string) =>
  ["non sense", new RegExp(`^${variable} has to be a text of ASCII without white space\\.$`)] as const
const list = (variable: string) =>
  ["one,", new RegExp(`^${variable} has to be a list of texts without white space, separated`)] as const
const pharmacySecrets = (variable: string) =>
  ["whsec_nonsense", new RegExp(`^${variable} has to be a list of whsec_<base64 of at least`)] as const

// An invalid value for every variable, and the error of the process.
const wrong: Readonly<Record<string, readonly [value: string, sentence: RegExp]>> = {
  NODE_ENV: ["prod", /^NODE_ENV has to be "development" \| "test" \| "production"\.$/],
  HOST: ["nonsense", /^HOST has to be an IP address of this machine, such as 127\.0\.0\.1/],
  PORT: ["nonsense", /^PORT has to be a port from 1 to 65535/],
  INTERNAL_SECRET: ["", missing("INTERNAL_SECRET")],
  OTEL_EXPORTER_OTLP_ENDPOINT: url("OTEL_EXPORTER_OTLP_ENDPOINT"),
  ADMIN_TOKEN: ["", missing("ADMIN_TOKEN")],
  METRICS_TOKEN: [
    "a".repeat(31),
    /^METRICS_TOKEN has to be a list of texts without white space, each of at least 32 characters, separated by commas\.$/
  ],
  CELLS: ["nonsense", /^CELLS has to be JSON such as \{"c2":/],
  AUTH_URL: url("AUTH_URL"),
  CASES_URL: url("CASES_URL"),
  PAYMENTS_URL: url("PAYMENTS_URL"),
  SCHEDULING_URL: url("SCHEDULING_URL"),
  PUBLIC_URL: url("PUBLIC_URL"),
  GATEWAY_URL: url("GATEWAY_URL"),
  REQUESTS_AT_ONCE: count("REQUESTS_AT_ONCE"),
  REQUEST_TIME_LIMIT: duration("REQUEST_TIME_LIMIT"),
  BODY_MIN_RATE: count("BODY_MIN_RATE"),
  BODY_GRACE: duration("BODY_GRACE"),
  BODY_MEMORY_MIB: count("BODY_MEMORY_MIB"),
  MAX_CONNECTIONS: count("MAX_CONNECTIONS"),
  IDLE_TIME_LIMIT: duration("IDLE_TIME_LIMIT"),
  TRUSTED_PROXIES: [
    "10.0.0.0/8,nonsense",
    /^TRUSTED_PROXIES has to be a list of IP addresses and networks, such as 10/
  ],
  ...Object.fromEntries(
    [...Object.values(rateLimits), ...Object.values(answerLimits)]
      .map(rateLimitVariable)
      .map((variable) => [variable, count(variable)])
  ),
  REDIS_URL: ["nonsense", /^REDIS_URL has to be a URL such as redis:/],
  CONSOLE_DIR: ["nonsense", /^CONSOLE_DIR has to be an absolute path\.$/],
  DOCS_DIR: ["nonsense", /^DOCS_DIR has to be an absolute path\.$/],
  DOCS_DEMO: ["nonsense", /^DOCS_DEMO has to be an absolute path\.$/],
  REDIS_TIME_LIMIT: duration("REDIS_TIME_LIMIT"),
  DATABASE_URL: ["nonsense", /^DATABASE_URL has to be a URL such as postgresql:/],
  READ_DATABASE_URL: ["nonsense", /^READ_DATABASE_URL has to be a URL such as postgresql:/],
  DATABASE_CONNECTIONS: ["nonsense", /^DATABASE_CONNECTIONS has to be a whole number from 1\.$/],
  DATABASE_BACKGROUND_CONNECTIONS: ["0", /^DATABASE_BACKGROUND_CONNECTIONS has to be a whole number from 1\.$/],
  MIGRATE_AT_START: ["nonsense", /^MIGRATE_AT_START has to be "true" \| "false"\.$/],
  DATABASE_POOLER: ["nonsense", /^DATABASE_POOLER has to be "session" \| "transaction" \| "transaction-unprepared"\.$/],
  QUOTA_KEPT_ANSWERS: count("QUOTA_KEPT_ANSWERS"),
  QUOTA_EVENTS: count("QUOTA_EVENTS"),
  QUOTA_DELIVERIES: count("QUOTA_DELIVERIES"),
  QUOTA_DOCUMENTS_MIB: count("QUOTA_DOCUMENTS_MIB"),
  CELL: ["Cell 2", /^CELL has to be two to eight lower-case letters and digits, such as c2\.$/],
  AUDIT_OUTBOX_DIR: ["/proc/care", /^\/proc\/care\/\w+ cannot be written to: set AUDIT_OUTBOX_DIR to a folder/],
  ERASURE_LIST_DIR: ["/proc/care", /^\/proc\/care cannot be made: set ERASURE_LIST_DIR to a folder/],
  JWT_SECRET: ["nonsense,", /^JWT_SECRET has to be a list of texts without white space, separated by commas\.$/],
  PHI_KEY: ["nonsense", /^PHI_KEY has to be a list of <id>:<base64 of 32 bytes>, separated by commas\.$/],
  OTP_TTL: ["nonsense", /^OTP_TTL has to be a number of seconds above 0, such as 300, or a time with its unit/],
  OTP_MAX_ATTEMPTS: ["0", /^OTP_MAX_ATTEMPTS has to be a whole number from 1 to 1000\.$/],
  OTP_RESEND_INTERVAL: ["nonsense", /^OTP_RESEND_INTERVAL has to be a number of seconds/],
  OTP_MAX_PER_HOUR: ["0", /^OTP_MAX_PER_HOUR has to be a whole number from 1 to 1000\.$/],
  OTP_MAX_PER_DAY: ["1001", /^OTP_MAX_PER_DAY has to be a whole number from 1 to 1000\.$/],
  OTP_MAX_WRONG_PER_DAY: ["nonsense", /^OTP_MAX_WRONG_PER_DAY has to be a whole number from 1 to 1000\.$/],
  NOTICES_PER_DAY: ["0", /^NOTICES_PER_DAY has to be a whole number from 1 to 1000\.$/],
  STAFF_SESSION_LIFETIME: duration("STAFF_SESSION_LIFETIME"),
  STAFF_IDLE_TIME: duration("STAFF_IDLE_TIME"),
  SMTP_URL: ["nonsense", /^SMTP_URL has to be a URL such as smtp:/],
  SMS_API_URL: ["nonsense", /^SMS_API_URL has to be a URL such as https:/],
  REMINDER_BEFORE: duration("REMINDER_BEFORE"),
  ...Object.fromEntries(
    ["", "TEST_"].flatMap((prefix) => [
      ...["STRIPE_API_URL", "SCHEDULING_API_URL", "PHARMACY_API_URL"].map((name) => [
        `${prefix}${name}`,
        url(`${prefix}${name}`)
      ]),
      ...["STRIPE_SECRET_KEY", "SCHEDULING_API_TOKEN", "PHARMACY_API_TOKEN"].map((name) => [
        `${prefix}${name}`,
        token(`${prefix}${name}`)
      ]),
      ...["STRIPE_WEBHOOK_SECRET", "SCHEDULING_WEBHOOK_SECRET"].map((name) => [
        `${prefix}${name}`,
        list(`${prefix}${name}`)
      ]),
      [`${prefix}PHARMACY_WEBHOOK_SECRET`, pharmacySecrets(`${prefix}PHARMACY_WEBHOOK_SECRET`)]
    ])
  )
}

const refusedWith = Effect.fnUntraced(function* (name: ProcessName, changes: Environment) {
  const error = yield* Effect.flip(boot(name, { ...(yield* goodEnvironment), ...changes }))
  return error instanceof BootError ? error.message : String(error)
}, Effect.scoped)

it.live("a process starts with no live credentials for sandboxes, nor with the same for both", () =>
  Effect.gen(function* () {
    const ofStripe = { TEST_STRIPE_SECRET_KEY: "sk_test_other", TEST_STRIPE_WEBHOOK_SECRET: "whsec_other" }
    for (const key of ["sk_live_1", "rk_live_1"]) {
      assert.match(
        yield* refusedWith("payments", { ...ofStripe, TEST_STRIPE_SECRET_KEY: key }),
        /^TEST_STRIPE_SECRET_KEY is a live key/
      )
    }
    const same = [
      ["payments", { ...ofStripe, TEST_STRIPE_SECRET_KEY: secrets.STRIPE_SECRET_KEY }, "STRIPE_SECRET_KEY"],
      [
        "payments",
        { ...ofStripe, TEST_STRIPE_WEBHOOK_SECRET: `whsec_other,${secrets.STRIPE_WEBHOOK_SECRET}` },
        "STRIPE_WEBHOOK_SECRET"
      ],
      ["cases", { PHARMACY_API_TOKEN: "token", TEST_PHARMACY_API_TOKEN: "token" }, "PHARMACY_API_TOKEN"],
      [
        "scheduling",
        { SCHEDULING_WEBHOOK_SECRET: "one,two", TEST_SCHEDULING_WEBHOOK_SECRET: "two" },
        "SCHEDULING_WEBHOOK_SECRET"
      ]
    ] as const
    for (const [name, changes, variable] of same) {
      assert.strictEqual(
        yield* refusedWith(name, changes),
        `TEST_${variable} has a value of ${variable}: set it to one of another account.`
      )
    }
    assert.strictEqual(
      yield* refusedWith("payments", { TEST_STRIPE_SECRET_KEY: "sk_test_other" }),
      "TEST_STRIPE_SECRET_KEY needs TEST_STRIPE_WEBHOOK_SECRET beside it."
    )
    const url = "http://127.0.0.1:8093"
    assert.match(yield* refusedWith("cases", { TEST_PHARMACY_API_URL: url }), /^TEST_PHARMACY_API_URL needs /)
    assert.match(yield* refusedWith("scheduling", { TEST_SCHEDULING_API_URL: url }), /^TEST_SCHEDULING_API_URL needs /)
  })
)

it.live("a pharmacy is not called without what it and we know each other by", () =>
  Effect.gen(function* () {
    const environment = { ...(yield* goodEnvironment), PHARMACY_API_URL: "http://127.0.0.1:8093" }
    const error = yield* Effect.flip(boot("cases", environment))
    assert.strictEqual(
      error instanceof BootError && error.message,
      "PHARMACY_API_URL needs PHARMACY_API_TOKEN and PHARMACY_WEBHOOK_SECRET beside it."
    )
    const validSecrets = {
      PHARMACY_API_TOKEN: "token",
      PHARMACY_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString("base64")},whsec_${Buffer.alloc(24).toString("base64")}`
    }
    yield* boot("cases", { ...environment, ...validSecrets })
  }).pipe(Effect.scoped)
)

it.live("a scheduling provider is not called without what it and we know each other by", () =>
  Effect.gen(function* () {
    const environment = { ...(yield* goodEnvironment), SCHEDULING_API_URL: "http://127.0.0.1:8092" }
    const error = yield* Effect.flip(boot("scheduling", environment))
    assert.strictEqual(
      error instanceof BootError && error.message,
      "SCHEDULING_API_URL needs SCHEDULING_API_TOKEN and SCHEDULING_WEBHOOK_SECRET beside it."
    )
    yield* boot("scheduling", { ...environment, SCHEDULING_API_TOKEN: "token", SCHEDULING_WEBHOOK_SECRET: "one,two" })
  }).pipe(Effect.scoped)
)

for (const name of processNames) {
  it.live(`the ${name} process says of every variable in one sentence what is wrong with it`, () =>
    Effect.gen(function* () {
      const good: Environment = yield* goodEnvironment
      for (const variable of yield* boot(name, good)) {
        const other = withoutFile(variable)
        const [value, sentence] =
          wrong[variable] ?? (other === variable ? assert.fail(`${variable} has no row`) : missingFile(variable))
        const environment = { ...good, ...(other !== variable && { [other]: "" }), [variable]: value }
        const error = yield* Effect.flip(boot(name, environment))
        assert.instanceOf(error, BootError)
        assert.match(error.message, sentence)
        assert.notInclude(error.message, "nonsense")
      }
    }).pipe(Effect.scoped)
  )
}

const tooShortIn = (variable: string) =>
  new RegExp(`^${variable} has to be a list of texts without white space, each of at least 32 characters, `)

for (const name of processNames) {
  it.live(`the ${name} process starts with all secrets in files, and shows nothing of a malformed one`, () =>
    Effect.gen(function* () {
      const good: Environment = yield* goodEnvironment
      const read = [...(yield* boot(name, good))].filter((variable) => isSecret(variable) && !/_FILE$/.test(variable))
      const folder = yield* temporaryFolder()
      const files = Object.fromEntries(
        read.flatMap((variable) => {
          const text = good[variable]
          if (text === undefined) return []
          writeFileSync(join(folder, variable), `${text}\n`)
          return [
            [variable, ""],
            [`${variable}_FILE`, join(folder, variable)]
          ]
        })
      )
      yield* boot(name, { ...good, ...files })
      writeFileSync(join(folder, "malformed"), "the canary\n")
      for (const variable of read) {
        const malformed = { [variable]: "", [`${variable}_FILE`]: join(folder, "malformed") }
        const error = yield* Effect.flip(boot(name, { ...good, ...files, ...malformed }))
        assert.instanceOf(error, BootError)
        assert.match(error.message, new RegExp(`^${variable} has to be `))
        assert.notInclude(`${error.stack} ${JSON.stringify(error)}`, "canary")
      }
    }).pipe(Effect.scoped)
  )

  it.live(`the ${name} process takes no short secret in production`, () =>
    Effect.gen(function* () {
      const good: Environment = { ...(yield* goodEnvironment), NODE_ENV: "production" }
      const tooShort = {
        INTERNAL_SECRET: [`${secrets.INTERNAL_SECRET},${"a".repeat(31)}`, tooShortIn("INTERNAL_SECRET")],
        ADMIN_TOKEN: ["a".repeat(31), tooShortIn("ADMIN_TOKEN")],
        JWT_SECRET: ["a".repeat(31), tooShortIn("JWT_SECRET")],
        STRIPE_WEBHOOK_SECRET: [
          `${secrets.STRIPE_WEBHOOK_SECRET},whsec_1`,
          /^STRIPE_WEBHOOK_SECRET has to be a list of whsec_/
        ],
        TEST_STRIPE_WEBHOOK_SECRET: ["whsec_1", /^TEST_STRIPE_WEBHOOK_SECRET has to be a list of whsec_/]
      } as const
      const read = yield* boot(name, good)
      for (const [variable, [value, sentence]] of Object.entries(tooShort)) {
        if (!read.has(variable)) continue
        const error = yield* Effect.flip(boot(name, { ...good, [variable]: value }))
        assert.instanceOf(error, BootError)
        assert.match(error.message, sentence)
      }
    }).pipe(Effect.scoped)
  )
}
