import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import { otherCells } from "./cellsSetting.ts"

const read = (CELLS: string, NODE_ENV = "test") =>
  Effect.provideService(otherCells, ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env: { CELLS, NODE_ENV } }))

const urls = {
  auth: "http://10.0.2.1:8081",
  cases: "http://10.0.2.1:8082",
  payments: "http://10.0.2.1:8083",
  scheduling: "http://10.0.2.1:8084"
}
const internalSecret = "canary".repeat(6)
const { scheduling: _, ...incomplete } = urls

const mistakes: ReadonlyArray<readonly [what: string, cells: unknown, sentence: string]> = [
  ["another form", ["canary"], "CELLS has to be JSON such as {"],
  ["a name", { "cell 2": { ...urls, internalSecret } }, "CELLS has a cell whose name is not two to eight lower-case"],
  ["the first cell", { c1: { ...urls, internalSecret } }, "CELLS has c1, whose services AUTH_URL and so on name"],
  ["a missing URL", { c2: { ...incomplete, internalSecret } }, "CELLS lacks scheduling of c2."],
  ["a missing secret", { c2: urls }, "CELLS lacks internalSecret of c2."],
  [
    "a wrong URL",
    { c2: { ...urls, cases: "canary", internalSecret } },
    "CELLS has no URL such as http://127.0.0.1:8080"
  ],
  ["another member", { c2: { ...urls, internalSecret, canary: "" } }, "CELLS has a member of c2 that is none of auth"],
  [
    "an empty secret",
    { c2: { ...urls, internalSecret: `${internalSecret},` } },
    "CELLS has an internalSecret of c2 that"
  ]
]
for (const [what, cells, sentence] of mistakes) {
  it.effect(`CELLS with ${what} keeps the gateway from starting, and is not quoted`, () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read(JSON.stringify(cells)))
      assert.isTrue(error.message.startsWith(sentence), error.message)
      assert.notInclude(`${error.message} ${JSON.stringify(error)}`, "canary")
    })
  )
}

it.effect("no secret of a cell is short in production", () =>
  Effect.gen(function* () {
    const cells = JSON.stringify({ c2: { ...urls, internalSecret: `${internalSecret}, ${"a".repeat(31)}` } })
    assert.lengthOf(yield* read(cells), 1)
    const { message } = yield* Effect.flip(read(cells, "production"))
    assert.include(message, "each of at least 32 characters")
  })
)

it.effect("CELLS describes each cell, and may be absent", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* read(""), [])
    const [cell] = yield* read(JSON.stringify({ c2: { ...urls, internalSecret: "first,second" } }))
    assert.deepStrictEqual([cell?.name, cell?.services], ["c2", urls])
    assert.deepStrictEqual(
      cell?.internalSecrets.map((secret) => Redacted.value(secret)),
      ["first", "second"]
    )
  })
)
