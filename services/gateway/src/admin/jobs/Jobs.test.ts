import { randomUUID } from "node:crypto"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask } from "../../testing/requests.ts"
import { runGateway } from "../../testing/runGateway.ts"
import { type Handle, resolveKnownKey, upstream } from "../../testing/Upstream.ts"

interface StoredJob {
  readonly id: string
  readonly state: string
  readonly createdAt: string
}

const jobAt = (seconds: number, state = "failed"): StoredJob => ({
  id: randomUUID(),
  state,
  createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString()
})

const shown = (job: StoredJob) => ({
  queue: "letters",
  organizationId: null,
  attempts: 3,
  lastFailure: "refused",
  requestId: "r-1",
  dueAt: job.createdAt,
  endedAt: job.createdAt,
  ...job
})

// A cursor is base64url of JSON: when the job was created, and its id.
const isAfter = (cursor: string | null, { createdAt, id }: StoredJob): boolean => {
  if (cursor === null) return true
  const [millis, last] = JSON.parse(Buffer.from(cursor, "base64url").toString())
  const at = new Date(createdAt).getTime()
  return at < millis || (at === millis && id < last)
}

/** Answers as a service with these jobs does. */
const serviceWith =
  (jobs: ReadonlyArray<StoredJob>): Handle =>
  (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://service")
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    if (pathname === "/internal/v1/jobs") {
      const listed = jobs
        .filter((job) => isAfter(searchParams.get("cursor"), job))
        .filter(({ state }) => (searchParams.get("state") ?? state) === state)
        .toSorted((a, b) => (a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id) ? 1 : -1))
      answer(200, listed.slice(0, Number(searchParams.get("limit"))).map(shown))
      return
    }
    const jobId = pathname.split("/").at(-2) ?? ""
    const job = jobs.find(({ id }) => id === jobId)
    if (job === undefined) answer(404, { _tag: "JobNotFound", jobId })
    else if (job.state !== "failed") answer(409, { _tag: "JobNotFailed", jobId, state: job.state })
    else answer(200, shown({ ...job, state: "pending" }))
  }

const unavailable: Handle = (_, response) => response.writeHead(503).end()

/** Starts a gateway, auth and cases with these jobs, and two services without jobs. */
const gatewayBefore = Effect.fnUntraced(function* (auth: Handle, cases: Handle) {
  const [first, second] = [yield* upstream(resolveKnownKey, auth), yield* upstream(resolveKnownKey, cases)]
  const { url } = yield* runGateway({
    handle: serviceWith([]),
    environment: { AUTH_URL: first.url, CASES_URL: second.url }
  })
  return (method: string, path: string, authorization = "Bearer operator") =>
    ask(`${url}/admin/v1/jobs${path}`, { method, headers: { authorization } })
})

it.live("the jobs of all services come newest first, each once, page by page, and by state", () =>
  Effect.gen(function* () {
    const [auth, cases] = [
      [jobAt(1), jobAt(4), jobAt(5, "pending"), jobAt(9)],
      [jobAt(2), jobAt(4), jobAt(7), jobAt(8)]
    ]
    const admin = yield* gatewayBefore(serviceWith(auth), serviceWith(cases))
    const seen: Array<{ readonly id: string; readonly service: string; readonly createdAt: string }> = []
    let cursor = ""
    do {
      const { json, status } = yield* admin("GET", `?limit=3${cursor}`)
      assert.strictEqual(status, 200)
      seen.push(...json.data)
      cursor = json.nextCursor === null ? "" : `&cursor=${json.nextCursor}`
    } while (cursor !== "")
    assert.strictEqual(new Set(seen.map(({ id }) => id)).size, 8)
    const times = seen.map(({ createdAt }) => createdAt)
    assert.deepStrictEqual(times, times.toSorted().reverse())
    for (const { id, service } of seen) {
      assert.strictEqual(service, auth.some((job) => job.id === id) ? "auth" : "cases")
    }
    assert.deepStrictEqual(Object.keys(seen[0] ?? {}).slice(0, 3), ["id", "service", "queue"])
    const pending = yield* admin("GET", "?state=pending&queue=letters")
    assert.deepStrictEqual(pending.json.data, [{ ...shown(auth[2] ?? assert.fail()), service: "auth" }])
  })
)

it.live("a list is never partial: 503 while one of the services does not answer", () =>
  Effect.gen(function* () {
    const admin = yield* gatewayBefore(serviceWith([jobAt(1)]), unavailable)
    const refused = yield* admin("GET", "")
    assert.strictEqual(refused.status, 503)
    assert.strictEqual(refused.headers.get("content-type"), "application/problem+json")
    assert.deepInclude(refused.json, { type: "about:blank", title: "Service unavailable", status: 503 })
  })
)

it.live("a job is repeated by its service, whichever other one is away", () =>
  Effect.gen(function* () {
    const [failed, running] = [jobAt(1), jobAt(2, "running")]
    for (const others of [serviceWith([]), unavailable]) {
      const admin = yield* gatewayBefore(others, serviceWith([failed, running]))
      const retried = yield* admin("POST", `/${failed.id}/retry`)
      assert.deepStrictEqual([retried.status, retried.json.service, retried.json.state], [200, "cases", "pending"])
      const refused = yield* admin("POST", `/${running.id}/retry`)
      assert.strictEqual(refused.status, 409)
      assert.include(refused.json.detail, "is running; only one that failed is repeated")
      const unknown = yield* admin("POST", `/${randomUUID()}/retry`)
      assert.strictEqual(unknown.status, others === unavailable ? 503 : 404)
    }
  })
)
