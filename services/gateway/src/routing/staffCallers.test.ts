import { randomUUID } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import { StaffRole } from "@care/domain/auth"
import { platformId } from "@care/domain/ids"
import { IdentityTokens, identityHeader, makeApiKey, makeStaffToken } from "@care/service-kit"
import { layerTestConfig, makeStandingClock } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { type Answer, ask } from "../testing/requests.ts"
import { runGateway } from "../testing/runGateway.ts"
import { answerLength, type KnownStaff } from "../testing/Upstream.ts"
import { plainEndpoints, plainRoutes } from "./routes.ts"

const origin = "http://localhost:8080"
const own = randomUUID()
const foreign = randomUUID()
const minutes = 60_000

const ago = (millis: number) => new Date(Date.now() - millis).toISOString()

const newSession = (role: string, changes: object = {}) => ({
  sessionId: randomUUID(),
  userId: randomUUID(),
  organizationId: role === "OPERATOR" ? platformId : own,
  role,
  state: "ACTIVE",
  steppedUpAt: ago(minutes),
  expiresAt: ago(-60 * minutes),
  ...changes
})

// Runs a gateway before services that know staff, and records the headers of what they get.
const runWithStaff = Effect.gen(function* () {
  const known: KnownStaff = { sessions: new Map(), owners: new Map() }
  const received: Array<IncomingHttpHeaders> = []
  const { targets, url } = yield* runGateway({
    environment: { PUBLIC_URL: origin },
    staff: known,
    handle: (request, response) => {
      received.push(request.headers)
      answerLength(request, response)
    }
  })
  const signIn = (role: string, changes?: object) => {
    const token = makeStaffToken("c1")
    known.sessions.set(token, newSession(role, changes))
    return token
  }
  const send = (token: string, method: string, path: string) =>
    ask(`${url}${path}`, { method, headers: { authorization: `Bearer ${token}` } })
  return { known, received, send, signIn, targets, url }
})

const codeOf = ({ json, status }: Answer) => [status, json?.code]

const withPermission = plainEndpoints.flatMap(({ endpoint, owner, permission }) =>
  permission === undefined ? [] : [{ endpoint, owner, permission }]
)

// A path of an endpoint with the same id for all of its parameters.
const pathWith = (path: string, id: string) => path.replaceAll(/:\w+/g, id)

it("every endpoint of operators has a permission, and no other has", () => {
  const others = plainEndpoints.filter(
    ({ caller, permission }) => (caller === "operator") !== (permission !== undefined)
  )
  assert.deepStrictEqual(
    others.map(({ endpoint }) => endpoint.path),
    []
  )
  assert.isAbove(withPermission.length, 45)
})

it.live("every operation accepts the roles of its permission, and refuses all others with what is needed", () =>
  Effect.gen(function* () {
    const { known, send, signIn, targets } = yield* runWithStaff
    for (const role of StaffRole.literals) {
      const token = signIn(role)
      for (const { endpoint, owner, permission } of withPermission) {
        const id = endpoint.path.includes(":organizationId") ? own : randomUUID()
        known.owners.set(id, own)
        targets.length = 0
        const answer = yield* send(token, endpoint.method, pathWith(endpoint.path, id))
        const name = `${role} ${endpoint.method} ${endpoint.path}`
        if (permission.roles.includes(role)) {
          assert.notInclude([401, 403, 404], answer.status, name)
          if (owner !== "gateway") assert.lengthOf(targets, 1, name)
        } else {
          assert.deepStrictEqual(codeOf(answer), [403, "ROLE_REFUSED"], name)
          assert.strictEqual(
            answer.json.detail,
            `Your role is ${role}. This needs ${permission.roles.join(" or ")}.`,
            name
          )
          assert.deepStrictEqual(targets, [], name)
        }
      }
    }
  })
)

it.live("ids of another organization get the answer of unknown ids, in every operation, and reach no service", () =>
  Effect.gen(function* () {
    const { known, send, signIn, targets } = yield* runWithStaff
    const [foreignId, unknownId] = [randomUUID(), randomUUID()]
    known.owners.set(foreignId, foreign)
    let attempts = 0
    for (const role of StaffRole.literals.filter((name) => name !== "OPERATOR")) {
      const token = signIn(role)
      for (const { endpoint, permission } of withPermission) {
        if (!permission.roles.includes(role) || !/:(?!service\b)/.test(endpoint.path)) continue
        const shapes = []
        for (const id of [
          foreignId,
          unknownId,
          foreignId.toUpperCase(),
          `%${foreignId.charCodeAt(0).toString(16)}${foreignId.slice(1)}`
        ]) {
          targets.length = 0
          const { json, status } = yield* send(token, endpoint.method, pathWith(endpoint.path, id))
          assert.deepStrictEqual(targets, [], endpoint.path)
          shapes.push({ status, ...JSON.parse(JSON.stringify(json).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")) })
        }
        attempts += 1
        for (const shape of shapes) assert.deepStrictEqual(shape, shapes[0], endpoint.path)
        assert.include([403, 404], shapes[0]?.status, endpoint.path)
      }
    }
    assert.isAbove(attempts, 30)
  })
)

it.live("lists are of the person's organization, whatever the query says, and operators name any", () =>
  Effect.gen(function* () {
    const { send, signIn, targets } = yield* runWithStaff
    const lists = plainRoutes.filter(
      ({ endpoint, permission }) =>
        endpoint.method === "GET" && !endpoint.path.includes(":") && (permission?.roles.length ?? 0) > 1
    )
    assert.isAtLeast(lists.length, 4)
    for (const { endpoint, permission } of lists) {
      const { path } = endpoint
      const token = signIn(permission?.roles[0] ?? "")
      targets.length = 0
      assert.strictEqual((yield* send(token, "GET", path)).status, 200)
      assert.strictEqual((yield* send(token, "GET", `${path}?limit=2&organizationId=${own}`)).status, 200)
      for (const query of [`organizationId=${foreign}`, `organizationId=${own}&organizationId=${foreign}`]) {
        assert.include([403, 404], (yield* send(token, "GET", `${path}?${query}`)).status, path)
      }
      assert.deepStrictEqual(targets, [
        `GET ${path}?organizationId=${own}`,
        `GET ${path}?limit=2&organizationId=${own}`
      ])
      targets.length = 0
      const operator = signIn("OPERATOR")
      yield* send(operator, "GET", path)
      yield* send(operator, "GET", `${path}?organizationId=${foreign}`)
      assert.deepStrictEqual(targets, [`GET ${path}`, `GET ${path}?organizationId=${foreign}`])
    }
  })
)

it.live("sessions that are unknown, have ended, or claim to be an operator's of no platform are refused", () =>
  Effect.gen(function* () {
    const { send, signIn, targets, url } = yield* runWithStaff
    const refused = [
      makeStaffToken("c1"),
      makeStaffToken("c9"),
      `${makeStaffToken("c1")}x`,
      signIn("ADMIN", { expiresAt: ago(1) }),
      signIn("OPERATOR", { organizationId: own }),
      signIn("ADMIN", { organizationId: platformId }),
      "cs_c1_"
    ]
    for (const token of refused) {
      assert.deepStrictEqual(codeOf(yield* send(token, "GET", "/admin/v1/cases")), [401, "SIGN_IN"], token)
    }
    // What is no token of a session is refused as a token of the operator.
    for (const token of ["eyJhbGciOiJIUzUxMiJ9.e30.x", makeApiKey("c1"), "cs_", ""]) {
      assert.deepStrictEqual(codeOf(yield* send(token, "GET", "/admin/v1/cases")), [401, undefined], token)
    }
    const asKey = yield* ask(`${url}/api/v1/users/me`, { key: signIn("ADMIN") })
    assert.deepStrictEqual([asKey.status, asKey.json.error], [401, "Invalid API key"])
    assert.deepStrictEqual(targets, [])
  })
)

it.live("a session without its second factor may do nothing, and everything as soon as it has it", () =>
  Effect.gen(function* () {
    const { known, send, signIn } = yield* runWithStaff
    const token = signIn("PROVIDER", { state: "PENDING", steppedUpAt: null })
    const list = send(token, "GET", "/admin/v1/cases")
    assert.deepStrictEqual(codeOf(yield* list), [403, "SECOND_FACTOR_NEEDED"])
    known.sessions.set(token, newSession("PROVIDER"))
    assert.strictEqual((yield* list).status, 200)
  })
)

it.live("erasure, export, keys, refunds, operators and sign-on need a recent passkey, which counts at once", () =>
  Effect.gen(function* () {
    const { known, send, signIn } = yield* runWithStaff
    const steppedUp = withPermission.filter(({ permission }) => permission.needsStepUp)
    assert.deepStrictEqual(steppedUp.map(({ endpoint }) => endpoint.path.split("/").at(-1)).toSorted(), [
      ":apiKeyId",
      ":userId",
      "api-keys",
      "erase",
      "export",
      "operators",
      "refund",
      "rotate",
      "single-sign-on",
      "single-sign-on"
    ])
    for (const role of ["ADMIN", "OPERATOR"] as const) {
      for (const { endpoint } of steppedUp.filter(({ permission }) => permission.roles.includes(role))) {
        const id = endpoint.path.includes("/organizations/") ? own : randomUUID()
        known.owners.set(id, own)
        const path = pathWith(endpoint.path, id)
        const late = signIn(role, { steppedUpAt: ago(5 * minutes + 1000) })
        for (const token of [late, signIn(role, { steppedUpAt: null })]) {
          assert.deepStrictEqual(codeOf(yield* send(token, endpoint.method, path)), [403, "STEP_UP_NEEDED"], path)
        }
        known.sessions.set(late, newSession(role, { steppedUpAt: ago(0) }))
        assert.strictEqual((yield* send(late, endpoint.method, path)).status, 200, path)
      }
    }
  })
)

it.live("a role that changes and a session that ends count within 5 seconds", () =>
  Effect.gen(function* () {
    const { known, send, signIn } = yield* runWithStaff
    const [changed, ended] = [signIn("ADMIN"), signIn("ADMIN")]
    const list = (token: string) => Effect.map(send(token, "GET", "/admin/v1/payments"), codeOf)
    assert.deepStrictEqual(
      [yield* list(changed), yield* list(ended)],
      [
        [200, undefined],
        [200, undefined]
      ]
    )
    known.sessions.set(changed, newSession("SUPPORT"))
    known.sessions.delete(ended)
    const began = Date.now()
    const until = (token: string, status: number) =>
      Effect.repeat(list(token), { until: ([answered]) => answered === status })
    assert.deepStrictEqual(yield* until(changed, 403), [403, "ROLE_REFUSED"])
    assert.deepStrictEqual(yield* until(ended, 401), [401, "SIGN_IN"])
    assert.isBelow(Date.now() - began, 5000)
  })
)

it.live("with a cookie a request that changes something has to come from a page of the same origin", () =>
  Effect.gen(function* () {
    const { known, signIn, targets, url } = yield* runWithStaff
    const cookie = `other=1; care_staff=${signIn("ADMIN")}`
    const path = `${url}/admin/v1/organizations/${own}/products`
    const post = (headers: Readonly<Record<string, string>>) =>
      Effect.map(ask(path, { method: "POST", headers: { cookie, ...headers } }), codeOf)
    known.owners.set(own, own)
    const sameSite = { origin, "sec-fetch-site": "same-origin" }
    assert.deepStrictEqual(yield* post(sameSite), [200, undefined])
    assert.deepStrictEqual(yield* post({ origin }), [200, undefined])
    targets.length = 0
    for (const headers of [
      {},
      { "sec-fetch-site": "same-origin" },
      { ...sameSite, origin: "null" },
      { ...sameSite, origin: "https://localhost:8080" },
      { ...sameSite, origin: "http://localhost:8081" },
      { ...sameSite, origin: `${origin}.example.com` },
      { ...sameSite, "sec-fetch-site": "cross-site" },
      { ...sameSite, "sec-fetch-site": "same-site" },
      { ...sameSite, "sec-fetch-site": "none" }
    ]) {
      assert.deepStrictEqual(yield* post(headers), [403, "CROSS_SITE"], JSON.stringify(headers))
    }
    assert.deepStrictEqual(targets, [])
    // Reads change nothing, and their answers are for the page alone.
    const read = yield* ask(`${url}/admin/v1/cases`, { headers: { cookie } })
    assert.strictEqual(read.status, 200)
  })
)

it.live(
  "of two cookies none counts, a header counts before a cookie, and only the name of this origin's scheme does",
  () =>
    Effect.gen(function* () {
      const { signIn, targets, url } = yield* runWithStaff
      const [admin, support] = [signIn("ADMIN"), signIn("SUPPORT")]
      const list = (headers: Readonly<Record<string, string>>) =>
        Effect.map(ask(`${url}/admin/v1/payments`, { headers }), codeOf)
      const both = `care_staff=${admin}; care_staff=${support}`
      assert.deepStrictEqual(yield* list({ cookie: both }), [401, "SIGN_IN"])
      assert.deepStrictEqual(yield* list({ cookie: `care_staff=${admin}; care_staff=${admin}` }), [401, "SIGN_IN"])
      const cookie = `care_staff=${admin}`
      assert.deepStrictEqual(yield* list({ cookie, authorization: `Bearer ${support}` }), [403, "ROLE_REFUSED"])
      assert.deepStrictEqual(yield* list({ cookie, authorization: "Bearer wrong" }), [401, undefined])
      assert.deepStrictEqual(yield* list({ cookie: `__Host-care_staff=${admin}` }), [401, undefined])
      assert.deepStrictEqual(yield* list({ cookie: `xcare_staff=${admin}` }), [401, undefined])
      assert.deepStrictEqual(targets, [])
      assert.deepStrictEqual(yield* list({ cookie }), [200, undefined])
    })
)

it.live("under https the cookie has the prefix that binds it to this host", () =>
  Effect.gen(function* () {
    const known: KnownStaff = { sessions: new Map(), owners: new Map() }
    const { url } = yield* runGateway({ environment: { PUBLIC_URL: "https://care.example.com" }, staff: known })
    const token = makeStaffToken("c1")
    known.sessions.set(token, newSession("ADMIN"))
    const list = (cookie: string) => Effect.map(ask(`${url}/admin/v1/payments`, { headers: { cookie } }), codeOf)
    assert.deepStrictEqual(yield* list(`__Host-care_staff=${token}`), [200, undefined])
    assert.deepStrictEqual(yield* list(`care_staff=${token}`), [401, undefined])
  })
)

it.live("the service gets the person, and neither the token nor the cookie", () =>
  Effect.gen(function* () {
    const { known, received, signIn, url } = yield* runWithStaff
    const token = signIn("PROVIDER")
    yield* ask(`${url}/admin/v1/cases`, { headers: { cookie: `care_staff=${token}` } })
    const [headers = {}] = received
    const text = headers[identityHeader]
    const identity = yield* (yield* IdentityTokens).verify(typeof text === "string" ? text : undefined)
    const { expiresAt: _, state: __, steppedUpAt: ___, ...person } = newSession("PROVIDER", known.sessions.get(token))
    assert.deepEqual<unknown>(identity, { _tag: "staff", ...person })
    assert.notInclude(JSON.stringify(received), token)
  }).pipe(Effect.provide(IdentityTokens.layer.pipe(Layer.provide(layerTestConfig()))))
)

it.live("a person has a rate limit, and so have all of their organization", () =>
  Effect.gen(function* () {
    const known: KnownStaff = { sessions: new Map(), owners: new Map() }
    const environment = { RATE_LIMIT_STAFF: "2", RATE_LIMIT_STAFF_OF_ORGANIZATION: "3" }
    const { url } = yield* runGateway({ environment, staff: known })
    const [one, two, elsewhere] = [makeStaffToken("c1"), makeStaffToken("c1"), makeStaffToken("c1")]
    for (const token of [one, two]) known.sessions.set(token, newSession("ADMIN"))
    known.sessions.set(elsewhere, newSession("ADMIN", { organizationId: foreign }))
    const list = (token: string) =>
      Effect.map(
        ask(`${url}/admin/v1/payments`, { headers: { authorization: `Bearer ${token}` } }),
        ({ json, status }) => (status === 429 ? [status, json.title] : [status])
      )
    const exceeded = [429, "Rate limit exceeded"]
    assert.deepStrictEqual([yield* list(one), yield* list(one), yield* list(one)], [[200], [200], exceeded])
    assert.deepStrictEqual(yield* list(two), [200])
    const ofAll = yield* ask(`${url}/admin/v1/payments`, { headers: { authorization: `Bearer ${two}` } })
    assert.deepStrictEqual([ofAll.status, ofAll.headers.get("ratelimit")], [429, '"STAFF_OF_ORGANIZATION";r=0;t=60'])
    assert.deepStrictEqual(yield* list(elsewhere), [200])
    for (const path of ["/admin/v1/audit", "/admin/v1/payments"]) {
      const refused = yield* ask(`${url}${path}`, { headers: { authorization: `Bearer ${one}` } })
      assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [429, "60"], path)
      assert.strictEqual(refused.headers.get("ratelimit"), '"STAFF";r=0;t=60', path)
    }
  }).pipe(Effect.provideService(Clock.Clock, makeStandingClock()))
)

it.live("without a token of machines signed-in staff alone use the admin API", () =>
  Effect.gen(function* () {
    const known: KnownStaff = { sessions: new Map(), owners: new Map() }
    const { url } = yield* runGateway({ environment: { ADMIN_TOKEN: "off" }, staff: known })
    const token = makeStaffToken("c1")
    known.sessions.set(token, newSession("OPERATOR"))
    const list = (authorization: string) =>
      Effect.map(ask(`${url}/admin/v1/organizations`, { headers: { authorization } }), ({ status }) => status)
    for (const other of ["Bearer off", "Bearer ", "Bearer", "off"]) assert.strictEqual(yield* list(other), 401, other)
    assert.strictEqual(yield* list(`Bearer ${token}`), 200)
    assert.strictEqual((yield* ask(`${url}/metrics`, { headers: { authorization: "Bearer off" } })).status, 401)
  })
)
