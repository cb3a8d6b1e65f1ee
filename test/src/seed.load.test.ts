import { assert } from "@effect/vitest"
import { call } from "./harness/call.ts"
import { careCommand } from "./harness/careCommand.ts"
import { makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

testsOn(Suite.layerWith({ RATE_LIMIT_WRITES: "30" }), "care seed demo at the limit of requests", (it) => {
  it("waits as long as the answer says, and leaves nothing out", function* () {
    const { key } = yield* makeSandbox(yield* makeClinic)
    const notices: Array<string> = []
    const parameters = ["seed", "demo", "--cases", "10", "--weeks", "1", "--seed", "5", "--json"]
    const begun = performance.now()
    const made = JSON.parse(yield* careCommand(parameters, { CARE_API_KEY: key }, notices))
    assert.isAbove(performance.now() - begun, 30_000)
    assert.isTrue(
      notices.every((notice) => / of 21, /.test(notice)),
      notices.join("\n")
    )
    assert.strictEqual(made.cases, 10)
    assert.lengthOf((yield* call("GET", "/api/v1/cases?limit=100", { key })).json.data, 10)
  }, 240_000)
})
