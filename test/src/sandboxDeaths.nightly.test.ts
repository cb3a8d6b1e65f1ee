import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { admin, call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { untilJobsEnd } from "./harness/jobsOf.ts"
import { killService, untilReady } from "./harness/killService.ts"
import { layerProcesses } from "./harness/layerProcesses.ts"
import { pharmacyOrder, setPharmacyAnswers } from "./harness/pharmacy.ts"
import { orderBody, placeOrder } from "./harness/placeOrder.ts"
import { ofSandboxes } from "./harness/testAccounts.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

testsOn(layerProcesses, "the catalogue of a sandbox", (it) => {
  for (const service of ["auth", "cases"] as const) {
    it(`is copied once, also when ${service} is killed after it made the sandbox`, function* () {
      const live = yield* makeClinic
      const at = `/organizations/${live.organizationId}/api-keys`
      const issuing = yield* Effect.forkChild(Effect.exit(admin("POST", at, { mode: "test" })))
      const sandboxes = inDatabase(
        "auth",
        (sql) => sql`SELECT FROM auth.organizations WHERE live_organization_id = ${live.organizationId}`
      )
      yield* until(sandboxes, ({ length }) => length > 0)
      yield* killService(service)
      yield* untilReady(service)
      yield* Fiber.await(issuing)
      const { key } = (yield* admin("POST", at, { mode: "test" })).json
      const products = yield* until(call("GET", "/api/v1/products", { key }), ({ json }) => json.data.length > 0)
      assert.lengthOf(products.json.data, 1)
    })
  }
})

testsOn(layerProcesses, "jobs of sandboxes", (it) => {
  it("go to the third party of sandboxes alone, also after their process was killed", function* () {
    const live = yield* makeClinic
    const sandbox = yield* makeSandbox(live)
    const pharmacyId = randomUUID()
    const bothPharmacies = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.all([effect, ofSandboxes(effect)])
    yield* bothPharmacies(setPharmacyAnswers(pharmacyId, "down"))
    const order = Effect.fnUntraced(function* (clinic: Clinic) {
      const caseId = String((yield* createCase(clinic, caseBody(clinic))).json.data.caseId)
      const { json } = yield* placeOrder(clinic, caseId, orderBody({ pharmacyId }))
      return String(json.data.order.id)
    })
    const [ofLive, ofSandbox] = [yield* order(live), yield* order(sandbox)]
    yield* until(pharmacyOrder(ofLive), ({ received }) => received.length > 0)
    yield* until(ofSandboxes(pharmacyOrder(ofSandbox)), ({ received }) => received.length > 0)
    yield* killService("cases")
    yield* untilReady("cases")
    yield* bothPharmacies(setPharmacyAnswers(pharmacyId, "accept"))
    for (const clinic of [live, sandbox]) yield* untilJobsEnd(clinic)
    const taken = Effect.map(Effect.all([pharmacyOrder(ofLive), pharmacyOrder(ofSandbox)]), (orders) =>
      orders.map((found) => found.taken !== null)
    )
    assert.deepStrictEqual(yield* bothPharmacies(taken), [
      [true, false],
      [false, true]
    ])
    assert.deepStrictEqual((yield* pharmacyOrder(ofSandbox)).received, [])
  })
})
