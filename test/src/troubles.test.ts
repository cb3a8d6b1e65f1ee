import { serveListener } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { addEndpoint } from "./harness/endpoints.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

interface Listed {
  readonly organizationId: string
  readonly total: number
}

testsOn(Suite.shared, "the organizations with troubles", (it) => {
  // Other tests make troubles at the same time, at organizations of their own.
  const pages = Effect.fnUntraced(function* (limit: number) {
    const rows: Array<Listed> = []
    let cursor: string | null = ""
    while (cursor !== null) {
      const after: string = cursor === "" ? "" : `&cursor=${cursor}`
      const { json, status } = yield* admin("GET", `/troubles?limit=${limit}${after}`)
      assert.strictEqual(status, 200)
      rows.push(...json.data)
      cursor = json.nextCursor
    }
    return rows
  })
  const troublesOf = (organizationId: string) =>
    Effect.map(pages(100), (rows) => rows.find((row) => row.organizationId === organizationId))

  it("200: has what is wrong at each, and leaves out those where nothing is", function* () {
    const [clinic, other] = [yield* makeClinic, yield* makeClinic]
    const { organizationId } = clinic
    yield* createCase(other, caseBody(other))
    const failing = yield* serveListener((_, response) => response.writeHead(500).end())
    yield* addEndpoint(clinic, { url: failing.url })
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const escalations = [{ type: "support", title: "Hold Order" }]
    yield* call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body: { action: "ADD_ESCALATION", escalations } })
    yield* inDatabase(
      "cases",
      (sql) => sql`UPDATE cases.cases SET created_at = now() - interval '25 hours' WHERE id = ${caseId}`
    )
    const found = yield* until(troublesOf(organizationId), (row) => row?.total === 3)
    assert.deepStrictEqual<unknown>(found, {
      organizationId,
      deliveriesFailed: 0,
      endpointsFailing: 1,
      ordersInError: 0,
      escalationsOpen: 1,
      casesWaiting: 1,
      total: 3
    })
    assert.isUndefined(yield* troublesOf(other.organizationId))
  })

  it("400: a cursor of another list is refused", function* () {
    const { status } = yield* admin("GET", "/troubles?cursor=WzAsIngiXQ")
    assert.strictEqual(status, 400)
  })
})
