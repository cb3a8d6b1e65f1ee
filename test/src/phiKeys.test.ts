import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"

interface Key {
  readonly service: string
  readonly keyId: string
  readonly isSealing: boolean
  readonly rows: number
}

layer(Suite.layer, { timeout: "60 seconds", excludeTestServices: true })("the keys of PHI_KEY", (it) => {
  it.effect("200: what each of them seals, of all services, and steps that come to an end", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic
      yield* createCase(clinic, caseBody(clinic))
      const { json, status } = yield* admin("GET", "/phi-keys")
      assert.strictEqual(status, 200)
      const keys: ReadonlyArray<Key> = json.data
      assert.deepStrictEqual(
        keys.map(({ isSealing, keyId, service }) => [service, keyId, isSealing]),
        ["auth", "cases", "payments", "scheduling"].map((service) => [service, "k1", true])
      )
      assert.isAtLeast(keys.find(({ service }) => service === "cases")?.rows ?? 0, 1)
      let step = (yield* admin("POST", "/phi-keys/rotate", {})).json
      let steps = 1
      while (step.next !== null) {
        step = (yield* admin("POST", "/phi-keys/rotate", { from: step.next })).json
        assert.strictEqual(step.rotated, 0)
        steps += 1
      }
      assert.isAbove(steps, 1)
    })
  )

  it.effect(
    "401 without the operator's token, 400 for a position of another form; one that is none is the beginning",
    () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* call("GET", "/admin/v1/phi-keys")).status, 401)
        assert.strictEqual((yield* call("POST", "/admin/v1/phi-keys/rotate", { body: {} })).status, 401)
        for (const from of ["x", 1, { cases: 1 }, []]) {
          assert.strictEqual((yield* admin("POST", "/phi-keys/rotate", { from })).status, 400, JSON.stringify(from))
        }
        const step = yield* admin("POST", "/phi-keys/rotate", { from: { cases: "nonsense" } })
        assert.deepInclude(step.json, { rotated: 0 })
        assert.strictEqual(step.status, 200)
      })
  )
})
