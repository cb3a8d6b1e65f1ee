import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { scenarios } from "@care/scenarios"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { careCommand } from "./harness/careCommand.ts"
import { makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

testsOn(Suite.shared, "care trigger", (it) => {
  const trigger = Effect.fnUntraced(function* (key: string, ...parameters: ReadonlyArray<string>) {
    const errors: Array<string> = []
    const exit = yield* Effect.exit(careCommand(["trigger", ...parameters], { CARE_API_KEY: key }, errors))
    return { exit, errors }
  })
  const refusedWith = Effect.fnUntraced(function* (key: string, ...parameters: ReadonlyArray<string>) {
    const { errors, exit } = yield* trigger(key, ...parameters)
    assert.strictEqual(exit._tag, "Failure")
    return errors.join("\n")
  })

  it("prints each step, the case, and what to do next", function* () {
    const { key } = yield* makeSandbox(yield* makeClinic)
    const errors: Array<string> = []
    const out = yield* careCommand(["trigger", "rejected"], { CARE_API_KEY: key }, errors)
    assert.strictEqual(errors[0], scenarios.get("rejected")?.shows)
    assert.deepStrictEqual(errors.slice(1), [
      "1 of 4  The partner creates a case: ASSIGNED  (case.created, case.assigned)",
      "2 of 4  The provider begins: IN_PROGRESS",
      "3 of 4  The provider rejects: REJECTED  (case.decision.added)",
      "4 of 4  The partner closes the case: REJECTED  (case.closed)"
    ])
    const [, caseId] = /^The case (\S+) is REJECTED\.$/m.exec(out) ?? []
    assert.include(out, `Next: care event list --case ${caseId}`)
    const { json } = yield* call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key })
    assert.deepInclude(json.caseDetail, { status: "REJECTED", isArchived: true })
  })

  it("prints one document for programs", function* () {
    const { key } = yield* makeSandbox(yield* makeClinic)
    const errors: Array<string> = []
    const out = yield* careCommand(["trigger", "closed-and-reopened", "--json"], { CARE_API_KEY: key }, errors)
    const { caseId, scenario, status, steps } = JSON.parse(out)
    assert.deepStrictEqual([scenario, status, errors], ["closed-and-reopened", "APPROVED", []])
    assert.strictEqual(steps[0].events[0].data.caseId, caseId)
  })

  it("lists the scenarios, without a key", function* () {
    const list = JSON.parse(yield* careCommand(["trigger", "--list", "--json"]))
    assert.deepStrictEqual(
      list.data.map(({ name }: { readonly name: string }) => name),
      [...scenarios.keys()]
    )
    assert.include(yield* careCommand(["trigger", "--list"]), "approved-with-shipment")
  })

  it("runs a file of one's own, and says where it went otherwise", function* () {
    const { key } = yield* makeSandbox(yield* makeClinic)
    const file = join(yield* temporaryFolder(), "own.json")
    const own = (steps: ReadonlyArray<object>) =>
      writeFileSync(file, JSON.stringify({ title: "Own", shows: "My own", steps }))
    const created = { create: {}, events: ["case.created", "case.assigned"] }
    own([created, { simulate: { step: "ORDER_SHIPPED" } }])
    assert.match(yield* refusedWith(key, file), /Step 2, "The pharmacy ships the order": .*Possible now: .*ASSIGN/)
    own([{ ...created, status: "APPROVED" }])
    assert.include(yield* refusedWith(key, file), "status is ASSIGNED, not APPROVED")
    own([{ create: {}, events: ["case.assigned"] }])
    assert.match(yield* refusedWith(key, file), /case\.created.* came, not case\.assigned/)
    own([{ creates: {} }])
    assert.include(yield* refusedWith(key, file), "is not a scenario")
  })

  it("refuses a live key before the first request, an unknown name, a key that is not known, and a sandbox with too few products", function* () {
    const live = yield* makeClinic
    // Its sandbox has a copy of its product alone.
    const issued = yield* admin("POST", `/organizations/${live.organizationId}/api-keys`, { mode: "test" })
    const { key } = issued.json
    assert.include(yield* refusedWith(live.key, "rejected"), "needs a test key")
    assert.include(
      yield* refusedWith(key, "nothing"),
      "There is no scenario nothing: `care trigger --list` names them."
    )
    assert.include(yield* refusedWith(key), "Which scenario?")
    assert.include(yield* refusedWith(`cv_test_${"x".repeat(20)}`, "rejected"), "status 401")
    assert.include(yield* refusedWith(key, "several-products"), "has too few products: the scenario needs 2")
    const { json } = yield* call("GET", "/api/v1/cases", { key: live.key })
    assert.deepStrictEqual(json.data, [])
  })
})
