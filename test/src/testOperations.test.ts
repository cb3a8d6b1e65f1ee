import { randomUUID } from "node:crypto"
import { callers } from "@care/domain/http"
import { ApiKeyId, OrganizationId } from "@care/domain/ids"
import { assert } from "@effect/vitest"
import { contracts } from "../operations/contracts.ts"
import { callAs, serviceOf } from "./harness/callAs.ts"
import { makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const testOperations = contracts.filter(({ path }) => path.startsWith("/api/v1/test/"))

const bodies: Readonly<Record<string, unknown>> = {
  "testClock.advance": { by: "P1D" },
  "simulations.simulate": { step: "START" }
}

testsOn(Suite.shared, "the operations of sandboxes", (it) => {
  it("are refused to a live organization by their services, too", function* () {
    const { organizationId } = yield* makeClinic
    const identity = callers.partner.Identity.make({
      organizationId: OrganizationId.make(organizationId),
      apiKeyId: ApiKeyId.make(randomUUID())
    })
    assert.isAbove(testOperations.length, 6)
    for (const contract of testOperations) {
      const service = serviceOf(contract) ?? assert.fail(`${contract.id} is the gateway's own`)
      const path = contract.path.replace(/:\w+/, randomUUID())
      const { json, status } = yield* callAs(identity, service, contract.method, path, bodies[contract.id])
      assert.deepStrictEqual([status, json.error], [403, "This operation needs a test key (cv_test_...)"], contract.id)
    }
  })
})
