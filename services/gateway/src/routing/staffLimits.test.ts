import { randomUUID } from "node:crypto"
import { makeStaffToken } from "@care/service-kit"
import { makeStandingClock, until } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { ask } from "../testing/requests.ts"
import { runGateway } from "../testing/runGateway.ts"
import { type KnownStaff, keys } from "../testing/Upstream.ts"

const [organizationId, other] = ["3b241101-e2bb-4255-8caf-4136c566a962", "9b241101-e2bb-4255-8caf-4136c566a962"]
const [endpointId, endpointOfOther] = [randomUUID(), randomUUID()]

const developerOf = (known: KnownStaff, organization: string) => {
  const token = makeStaffToken("c1")
  const now = Date.now()
  known.sessions.set(token, {
    sessionId: randomUUID(),
    userId: randomUUID(),
    organizationId: organization,
    role: "DEVELOPER",
    state: "ACTIVE",
    steppedUpAt: new Date(now).toISOString(),
    expiresAt: new Date(now + 3_600_000).toISOString()
  })
  return token
}

const bodies = { test: undefined, "replay-missing": '{"since":"2026-01-01T00:00:00Z"}' } as const

const post = (url: string, path: string, token: string, endpoint = endpointId) =>
  ask(`${url}/admin/v1/webhook-endpoints/${endpoint}/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    ...(path === "replay-missing" && { body: bodies[path] })
  })

it.live("test events and replays of staff count together with those of their organization's keys", () =>
  Effect.gen(function* () {
    const known: KnownStaff = { sessions: new Map(), owners: new Map([[endpointId, organizationId]]) }
    const { targets, url } = yield* runGateway({ environment: { RATE_LIMIT_WEBHOOK_REPLAYS: "4" }, staff: known })
    const [one, two] = [developerOf(known, organizationId), developerOf(known, organizationId)]
    const byKey = ask(`${url}/api/v1/webhook-endpoints/${endpointId}/test`, { method: "POST", key: keys.one })
    const replay = `deliveries/${randomUUID()}/replay`
    const answers = [
      yield* post(url, "test", one),
      yield* post(url, "replay-missing", two),
      yield* post(url, replay, one),
      yield* byKey,
      yield* byKey,
      yield* post(url, "test", one)
    ]
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 429, 429]
    )
    const refused = answers.at(-1)
    assert.deepStrictEqual(
      [refused?.json.title, refused?.headers.get("content-type"), refused?.headers.get("retry-after")],
      ["Rate limit exceeded", "application/problem+json", "60"]
    )
    assert.deepStrictEqual(
      answers.map(({ headers }) => headers.get("ratelimit")?.split(";", 2).join()),
      ["3", "2", "1", "0", "0", "0"].map((left) => `"WEBHOOK_REPLAYS",r=${left}`)
    )
    assert.lengthOf(targets, 4)
    const byMachine = yield* post(url, "test", "operator")
    assert.deepStrictEqual([byMachine.status, byMachine.headers.get("ratelimit")], [200, null])
  }).pipe(Effect.provideService(Clock.Clock, makeStandingClock()))
)

it.live("at a quota of their organization, staff send no test events and replay nothing that is missing", () =>
  Effect.gen(function* () {
    const owners = new Map([
      [endpointId, organizationId],
      [endpointOfOther, other]
    ])
    const known: KnownStaff = { sessions: new Map(), owners }
    const reachedQuotas = [{ organizationId, kind: "DELIVERIES" }]
    const { url } = yield* runGateway({ staff: known, reachedQuotas })
    const developer = developerOf(known, organizationId)
    yield* until(post(url, "test", developer), ({ status }) => status === 429)
    for (const path of ["test", "replay-missing"]) {
      const { headers, json, status } = yield* post(url, path, developer)
      assert.deepStrictEqual([path, status, json.title], [path, 429, "Quota reached"])
      assert.strictEqual(headers.get("care-error-code"), "QUOTA_REACHED")
    }
    assert.strictEqual((yield* post(url, `deliveries/${randomUUID()}/replay`, developer)).status, 200)
    assert.strictEqual((yield* post(url, "test", developerOf(known, other), endpointOfOther)).status, 200)
  })
)

it.live("what an organization uses of its rate limits is read without counting", () =>
  Effect.gen(function* () {
    const known: KnownStaff = { sessions: new Map(), owners: new Map([[endpointId, organizationId]]) }
    const { url } = yield* runGateway({ staff: known })
    const developer = developerOf(known, organizationId)
    yield* ask(`${url}/api/v1/webhook-endpoints/${endpointId}/test`, { method: "POST", key: keys.one })
    yield* post(url, "test", developer)
    const read = ask(`${url}/admin/v1/organizations/${organizationId}/rate-limits`, {
      headers: { authorization: `Bearer ${developer}` }
    })
    for (const { json, status } of [yield* read, yield* read]) {
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(
        json.data.map((row: Readonly<Record<string, unknown>>) => [row["name"], row["used"], row["allowed"]]),
        [
          ["WRITES", 1, 3000],
          ["WEBHOOK_REPLAYS", 2, 120],
          ["APPOINTMENTS_LIST", 0, 500],
          ["APPOINTMENTS_BOOKING", 0, 100],
          ["APPOINTMENTS_CANCEL", 0, 100]
        ]
      )
    }
  })
)
