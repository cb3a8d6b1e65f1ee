import { text } from "node:stream/consumers"
import { RequestLogBatch } from "@care/domain/auth"
import { until } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { ask } from "../testing/requests.ts"
import { runGateway } from "../testing/runGateway.ts"
import { type Handle, keys, storeAll } from "../testing/Upstream.ts"

const decodeBatch = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.toCodecJson(RequestLogBatch)))

/** An auth that keeps what it got, and loses its first answers. */
const forgetful = (lost: number) => {
  const batches: Array<RequestLogBatch> = []
  const storeRequests: Handle = async (request, response) => {
    batches.push(decodeBatch(await text(request)))
    if (batches.length <= lost) response.destroy()
    else storeAll(request, response)
  }
  return { batches, storeRequests }
}

const organizationOfOne = "3b241101-e2bb-4255-8caf-4136c566a962"
const path = "/api/v1/customer-case-detail"

it.live("a batch without an answer is sent again with the same ids, and once more only", () =>
  Effect.gen(function* () {
    const { batches, storeRequests } = forgetful(4)
    const { url } = yield* runGateway({ storeRequests })
    yield* ask(`${url}${path}?email=somebody@example.com`, { key: keys.one })
    yield* until(
      Effect.sync(() => batches.length),
      (count) => count > 4
    )
    yield* ask(`${url}${path}?caseId=x`, { key: keys.two })
    yield* until(
      Effect.sync(() => batches.length),
      (count) => count > 5
    )
    const [first] = batches
    const again = batches.slice(0, 5).map(({ requests: [request] }) => request?.id)
    assert.deepStrictEqual(again, Array(5).fill(first?.requests[0]?.id))
    assert.deepInclude(first?.requests[0], { method: "GET", path, status: 200, errorCode: null })
    assert.notInclude(JSON.stringify(batches), "somebody")
    assert.deepStrictEqual(
      batches.slice(5).map(({ requests }) => requests.length),
      [1]
    )
  })
)

it.live("a batch that auth refuses is dropped, and later ones are stored; of a full day none is sent", () =>
  Effect.gen(function* () {
    const batches: Array<RequestLogBatch> = []
    const answers = [
      { status: 400, body: { _tag: "RequestLogRefused" } },
      {
        status: 200,
        body: { waiting: [], full: [{ organizationId: organizationOfOne, until: "2999-01-01T00:00:00Z" }] }
      }
    ]
    const { url } = yield* runGateway({
      storeRequests: async (request, response) => {
        batches.push(decodeBatch(await text(request)))
        const { body, status } = answers[batches.length - 1] ?? { status: 200, body: { waiting: [], full: [] } }
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
      }
    })
    for (const count of [1, 2]) {
      yield* ask(`${url}${path}?caseId=x`, { key: keys.one })
      yield* until(
        Effect.sync(() => batches.length),
        (sent) => sent === count
      )
    }
    yield* ask(`${url}${path}?caseId=x`, { key: keys.one })
    yield* ask(`${url}${path}?caseId=x`, { key: keys.two })
    yield* until(
      Effect.sync(() => batches.length),
      (sent) => sent === 3
    )
    assert.deepStrictEqual(
      batches.map(({ requests }) => requests.map(({ organizationId }) => organizationId === organizationOfOne)),
      [[true], [true], [false]]
    )
  })
)

it.live("a gateway that shuts down sends what it has", () =>
  Effect.gen(function* () {
    const { batches, storeRequests } = forgetful(0)
    yield* Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* runGateway({ storeRequests })
        yield* ask(`${url}${path}?caseId=x`, { key: keys.one })
      })
    )
    assert.lengthOf(
      batches.flatMap(({ requests }) => requests),
      1
    )
  })
)

it.live("a request without a valid key is not logged, and a refused one of an organization is, with its code", () =>
  Effect.gen(function* () {
    const { batches, storeRequests } = forgetful(0)
    const { url } = yield* runGateway({ storeRequests })
    const action = "/api/v1/cases/3b241101-e2bb-4255-8caf-4136c566a962"
    for (const key of ["cv_unknown", keys.one]) {
      yield* ask(`${url}${action}`, { key, method: "POST", body: '{"action":"NONE"}' })
      yield* ask(`${url}${action}`, { key, method: "POST", body: '{"action":"CHANGE_CASE_STATUS"}' })
      yield* ask(`${url}/api/v1/cases`, { key, method: "POST", body: "x".repeat(2 * 1024 * 1024) })
    }
    yield* ask(`${url}/api/v1/audit-records`, { key: keys.one, headers: { "care-version": "yesterday" } })
    yield* until(
      Effect.sync(() => batches.flatMap(({ requests }) => requests).length),
      (count) => count >= 4
    )
    const logged = batches.flatMap(({ requests }) => requests)
    assert.deepStrictEqual(
      logged.map(({ errorCode, path, status }) => [path, status, errorCode]),
      [
        ["/api/v1/cases/:caseId", 400, "ACTION_UNKNOWN"],
        ["/api/v1/cases/:caseId/CHANGE_CASE_STATUS", 200, null],
        ["/api/v1/cases", 413, "BODY_TOO_LARGE"],
        ["/api/v1/audit-records", 400, "REQUEST_INVALID"]
      ]
    )
    for (const { path, version } of logged) assert.strictEqual(version, "2026-11-01", path)
  })
)
