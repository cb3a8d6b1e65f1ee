import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { forEveryService } from "../provision.ts"
import { checkCells, hasStandIn, readCellCount, startSettings } from "./StartSettings.ts"

const read = (env: Record<string, string>) =>
  startSettings.pipe(Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })))

const sentences: ReadonlyArray<readonly [string, string, string]> = [
  ["PORT", "abc", "PORT has to be a port from 1 to 65515, for example 8080."],
  ["PORT", "65516", "PORT has to be a port from 1 to 65515, for example 8080."],
  ["HOST", "192.0.2.1", 'HOST has to be "127.0.0.1" | "0.0.0.0" | "::".'],
  ["DATABASE_URL", "nonsense", "DATABASE_URL has to be a URL such as postgresql://user:password@host/database."],
  ["DATABASE_URL", "mysql://a:b@c/d", "DATABASE_URL has to be a URL such as postgresql://user:password@host/database."],
  [
    "DATABASE_URL_CASES",
    "nonsense",
    "DATABASE_URL_CASES has to be a URL such as postgresql://user:password@host/database."
  ],
  ["SCHEDULING_API_URL", "calendly", "SCHEDULING_API_URL has to be a URL such as http://127.0.0.1:8080."],
  ["STRIPE_API_URL", "stripe", "STRIPE_API_URL has to be a URL such as http://127.0.0.1:8080."],
  ["PUBLIC_URL", "care.example.com", "PUBLIC_URL has to be a URL such as http://127.0.0.1:8080."],
  ["NODE_ENV", "Production", 'NODE_ENV has to be "development" | "test" | "production".']
]

for (const [name, value, sentence] of sentences) {
  it.effect(`${name}=${value}: ${sentence}`, () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(read({ [name]: value }))).message, sentence)
    })
  )
}

it.effect("needs none of them, and counts an empty one as absent", () =>
  Effect.gen(function* () {
    const settings = yield* read({})
    assert.deepInclude(settings, {
      port: 8080,
      host: "127.0.0.1",
      publicUrl: "http://localhost:8080",
      isProduction: false
    })
    assert.deepStrictEqual(settings.databaseUrls, forEveryService(undefined))
    const empty = {
      PORT: "",
      HOST: "",
      CARE_DATA_DIR: "",
      DATABASE_URL: "",
      DATABASE_URL_CASES: "",
      PUBLIC_URL: "",
      NODE_ENV: ""
    }
    assert.deepStrictEqual(yield* read(empty), settings)
  })
)

const counts: ReadonlyArray<readonly [ReadonlyArray<string>, number]> = [
  [[], 1],
  [["--cells", "2"], 2],
  [["--cells=3"], 3],
  [["--", "--cells", "2"], 2]
]
for (const [args, count] of counts) {
  it.effect(`start ${args.join(" ")} starts ${count} cells`, () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* readCellCount(args), count)
    })
  )
}

it.effect("other arguments are refused with the ones that start takes", () =>
  Effect.gen(function* () {
    for (const args of [["--cells"], ["--cells", "0"], ["--cells", "10"], ["--cells", "two"], ["--cell", "2"], ["2"]]) {
      const { message } = yield* Effect.flip(readCellCount(args))
      assert.strictEqual(message, "start takes --cells with a number from 1 to 9, such as --cells 2.")
    }
  })
)

it.effect("the cells need ports, and are not for production", () =>
  Effect.gen(function* () {
    const settings = yield* read({})
    yield* checkCells({ ...settings, cells: 2, port: 65_415 })
    const { message } = yield* Effect.flip(checkCells({ ...settings, cells: 2, port: 65_416 }))
    assert.strictEqual(message, "PORT has to be at most 65415 for 2 cells.")
    const inProduction = yield* Effect.flip(checkCells({ ...settings, cells: 2, isProduction: true }))
    assert.match(inProduction.message, /^--cells is for development/)
    yield* checkCells({ ...settings, isProduction: true })
  })
)

it.effect("a service has its own database, or else the one of all", () =>
  Effect.gen(function* () {
    const [all, own] = ["postgresql://a:b@one/care", "postgresql://a:b@two/care"]
    const { databaseUrls } = yield* read({ DATABASE_URL: all, DATABASE_URL_CASES: own })
    assert.deepStrictEqual(databaseUrls, { ...forEveryService(all), cases: own })
    const { databaseUrls: beside } = yield* read({ DATABASE_URL_CASES: own })
    assert.deepStrictEqual(beside, { ...forEveryService(undefined), cases: own })
  })
)

for (const [name, variable] of [
  ["pharmacy", "PHARMACY_API_URL"],
  ["stripe", "STRIPE_API_URL"],
  ["schedulingProvider", "SCHEDULING_API_URL"],
  ["testPharmacy", "TEST_PHARMACY_API_URL"],
  ["testStripe", "TEST_STRIPE_API_URL"],
  ["testSchedulingProvider", "TEST_SCHEDULING_API_URL"]
] as const) {
  it.effect(`the stand-in for ${name} runs without ${variable}, and never in production`, () =>
    Effect.gen(function* () {
      assert.isTrue(hasStandIn(yield* read({}), name))
      assert.isFalse(hasStandIn(yield* read({ [variable]: "https://example.com" }), name))
      assert.isFalse(hasStandIn(yield* read({ NODE_ENV: "production" }), name))
    })
  )
}
