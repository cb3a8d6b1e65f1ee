import { assert } from "@effect/vitest"
import { admin, call } from "./harness/call.ts"
import { makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

testsOn(Suite.shared, "incidents", (it) => {
  it("an operator opens, updates, resolves and opens one again, and the list has it first", function* () {
    const told = { title: "Orders are late", impact: "DEGRADED", text: "The pharmacy answers slowly." }
    const opened = yield* admin("POST", "/incidents", told)
    assert.strictEqual(opened.status, 201)
    assert.deepInclude(opened.json, { ...told, resolvedAt: null })
    const path = `/incidents/${opened.json.id}`
    const changed = yield* admin("PATCH", path, { impact: "OUTAGE" })
    assert.deepInclude(changed.json, { ...told, impact: "OUTAGE", resolvedAt: null })
    const resolved = yield* admin("PATCH", path, { text: "Done.", isResolved: true })
    assert.deepInclude(resolved.json, { text: "Done.", impact: "OUTAGE" })
    assert.isNotNull(resolved.json.resolvedAt)
    const again = yield* admin("PATCH", path, { isResolved: true })
    assert.strictEqual(again.json.resolvedAt, resolved.json.resolvedAt)
    assert.isNull((yield* admin("PATCH", path, { isResolved: false })).json.resolvedAt)
    assert.strictEqual((yield* admin("GET", "/incidents?limit=1")).json.data[0].id, opened.json.id)
  })

  it("400, 401 and 404", function* () {
    assert.strictEqual((yield* admin("POST", "/incidents", { title: "x", impact: "BAD", text: "x" })).status, 400)
    const unknown = "/incidents/3b241101-e2bb-4255-8caf-4136c566a962"
    assert.strictEqual((yield* admin("PATCH", unknown, { isResolved: true })).status, 404)
    const { key } = yield* makeClinic
    assert.strictEqual((yield* call("GET", "/admin/v1/incidents", { key })).status, 401)
  })
})
