import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

interface Logged {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly requestId: string
  readonly errorCode: string | null
}

/** Reads the log of a key until it has so many requests. */
const logOf = (key: string, count: number, query = "") =>
  until(
    Effect.map(call("GET", `/api/v1/request-logs${query}`, { key }), ({ json }): ReadonlyArray<Logged> => json.data),
    ({ length }) => length >= count
  )

testsOn(Suite.shared, "the request log", (it) => {
  it("has each request of the organization once, by its documented path, and no other's", function* () {
    const [clinic, neighbour] = [yield* makeClinic, yield* makeClinic]
    const body = caseBody(clinic)
    const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
    yield* call("POST", `/api/v1/cases/${caseId}`, {
      key: clinic.key,
      body: { action: "CHANGE_CASE_STATUS", status: "nonsense" }
    })
    yield* call("GET", `/api/v1/customer-case-detail?email=${body.user.email}`, { key: clinic.key })
    yield* call("GET", `/api/v1/customer-case-detail?email=${body.user.email}`, { key: "cv_unknown" })
    const log = yield* logOf(clinic.key, 3)
    assert.deepStrictEqual(
      log.map(({ errorCode, method, path, status }) => [method, path, status, errorCode]).toReversed(),
      [
        ["POST", "/api/v1/cases", 200, null],
        ["POST", "/api/v1/cases/:caseId/CHANGE_CASE_STATUS", 400, "REQUEST_INVALID"],
        ["GET", "/api/v1/customer-case-detail", 200, null]
      ]
    )
    const posted = yield* logOf(clinic.key, 2, "?method=POST")
    assert.deepStrictEqual(
      posted.map(({ id }) => id),
      log.filter(({ method }) => method === "POST").map(({ id }) => id)
    )
    const path = "/api/v1/cases/:caseId/CHANGE_CASE_STATUS"
    const changes = yield* logOf(clinic.key, 1, `?path=${encodeURIComponent(path)}`)
    assert.deepStrictEqual(
      changes.map(({ id }) => id),
      log.filter((request) => request.path === path).map(({ id }) => id)
    )
    assert.deepStrictEqual(yield* logOf(neighbour.key, 0, `?path=${encodeURIComponent(path)}`), [])
    assert.notInclude(JSON.stringify(log), body.user.email)
    assert.notInclude(JSON.stringify(log), caseId)
    assert.deepStrictEqual(yield* logOf(neighbour.key, 0), [])
    const ofStaff = yield* admin("GET", `/request-logs?organizationId=${clinic.organizationId}&status=4xx`)
    assert.deepStrictEqual([ofStaff.json.data.length, ofStaff.json.isComplete], [1, true])
    assert.strictEqual((yield* admin("GET", "/request-logs?status=4xx")).status, 400)
  })

  it("is found by the request id of the answer, whatever id was sent", function* () {
    const { key } = yield* makeClinic
    const sent = [randomUUID(), "rosa@example.com", "' OR 1=1 --", `${"x".repeat(5000)}`, "../%00"]
    const answered = yield* Effect.forEach(sent, (id) =>
      Effect.map(call("GET", "/api/v1/events", { key, headers: { "x-request-id": id } }), ({ headers }) =>
        String(headers.get("x-request-id"))
      )
    )
    const log = yield* logOf(key, sent.length)
    assert.sameMembers(
      log.map(({ requestId }) => requestId),
      answered
    )
    assert.notInclude(JSON.stringify(log), "rosa")
    assert.strictEqual(answered[0], sent[0])
    assert.lengthOf(yield* logOf(key, 1, `?requestId=${answered[1]}`), 1)
    const hostile = yield* call("GET", `/api/v1/request-logs?requestId=${encodeURIComponent("' OR 1=1 --")}`, { key })
    assert.deepStrictEqual([hostile.status, hostile.json.data], [200, []])
  })

  it("refuses a status, a time, a cursor or an id that is none", function* () {
    const { key } = yield* makeClinic
    for (const query of [
      "status=600x",
      "status=4XX0",
      "method=FETCH",
      "path=%00",
      "since=yesterday",
      "cursor=x",
      "limit=0",
      "requestId=%00"
    ]) {
      const { json, status } = yield* call("GET", `/api/v1/request-logs?${query}`, { key })
      assert.deepStrictEqual([status, json.message], [400, "Invalid request"], query)
    }
  })
})
