import { OrganizationId } from "@care/domain/ids"
import { IdentityTokens, identityHeader, keyHash, makeApiKey } from "@care/service-kit"
import { rawRequest, until } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { ask, begin, head, whileTimePasses } from "../testing/requests.ts"
import { runGateway } from "../testing/runGateway.ts"
import { answerLength, type Handle, resolveTo, upstream } from "../testing/Upstream.ts"

const organizationOf = (digit: number) =>
  OrganizationId.make(`${digit.toString(16).padStart(8, "0")}-e2bb-4255-8caf-4136c566a962`)

/** Runs a gateway before fakes of the cells c1 and c2, of which c1 knows more keys. Returns what each cell got. */
const twoCells = Effect.fnUntraced(function* (
  first: Handle = answerLength,
  second: Handle = answerLength,
  moreKeys: ReadonlyArray<string> = []
) {
  const keys = { c1: makeApiKey("c1"), c2: makeApiKey("c2"), c3: makeApiKey("c3"), older: "cv_an-older-key" }
  const lookUps: Array<string> = []
  const tokens: Array<string> = []
  const resolve =
    (cell: string, known: ReadonlyArray<string>): Handle =>
    (request, response) => {
      lookUps.push(cell)
      const organizations = known.map((key, index) => [keyHash(key), organizationOf(index)] as const)
      resolveTo(new Map(organizations))(request, response)
    }
  const handleAs =
    (handle: Handle): Handle =>
    (request, response) => {
      tokens.push(String(request.headers[identityHeader]))
      handle(request, response)
    }
  const other = yield* upstream(resolve("c2", [keys.c2]), handleAs(second))
  const { auth, cases, payments, scheduling } = {
    auth: other.url,
    cases: other.url,
    payments: other.url,
    scheduling: other.url
  }
  const internalSecret = "secret-of-c2"
  const gateway = yield* runGateway({
    environment: { CELLS: JSON.stringify({ c2: { auth, cases, payments, scheduling, internalSecret } }) },
    resolveKey: resolve("c1", [keys.c1, keys.older, ...moreKeys]),
    handle: handleAs(first)
  })
  return { url: gateway.url, c1: gateway.targets, c2: other.targets, lookUps, tokens, keys }
})

const detail = "/api/v1/customer-case-detail?caseId=x"

it.live("a request goes to the cell that its key names, signed with that cell's secret and for its name alone", () =>
  Effect.gen(function* () {
    const { lookUps, c1, c2, keys, tokens, url } = yield* twoCells()
    for (const [key, targets, secret] of [
      [keys.c1, c1, "secret"],
      [keys.c2, c2, "secret-of-c2"],
      [keys.older, c1, "secret"]
    ] as const) {
      const before = targets.length
      assert.strictEqual((yield* ask(url + detail, { key })).status, 200)
      assert.deepStrictEqual(targets.slice(before), [`GET ${detail}`])
      const token = tokens.at(-1)
      const signedBy = (text: string, cell?: string) => IdentityTokens.make([Redacted.make(text)], cell).verify(token)
      const [own, other] = targets === c1 ? ["c1", "c2"] : ["c2", "c1"]
      assert.strictEqual((yield* signedBy(secret, own))?._tag, "partner")
      assert.deepInclude(yield* Effect.flip(signedBy(secret, other)), { _tag: "WrongCell", own: other, called: own })
      assert.isUndefined(yield* signedBy(secret === "secret" ? "secret-of-c2" : "secret"))
    }
    assert.deepStrictEqual(lookUps, ["c1", "c2", "c1"])
  })
)

it.live("a key of an unknown cell, or with a wrong checksum, is invalid, and no cell is lookUps", () =>
  Effect.gen(function* () {
    const { lookUps, c1, c2, keys, url } = yield* twoCells()
    for (const key of [keys.c3, keys.c2.replace("_c2_", "_c1_"), keys.c1.replace("_c1_", "_c2_")]) {
      const { json, status } = yield* ask(url + detail, { key })
      assert.deepStrictEqual([status, json], [401, { status: 401, error: "Invalid API key" }])
    }
    assert.deepStrictEqual([...lookUps, ...c1, ...c2], [])
  })
)

it.live("a callback and a link to a file go to the cell in their URL, and without one to the first", () =>
  Effect.gen(function* () {
    const { c1, c2, url } = yield* twoCells()
    const post = (path: string) => ask(url + path, { method: "POST", body: "{}" })
    const link = "/api/v1/documents/1?organizationId=2&expires=3&signature=4"
    for (const callback of ["/webhooks/stripe", "/webhooks/pharmacy", "/webhooks/scheduling"]) {
      for (const path of [callback, `${callback}/c1`, `${callback}/c2`]) yield* post(path)
      yield* post(`${callback}/c2?a=/c1`)
      assert.strictEqual((yield* post(`${callback}/c3`)).status, 404)
      assert.strictEqual((yield* post(`${callback}/c2/more`)).status, 404)
      const get = yield* ask(`${url}${callback}/c2`)
      assert.deepStrictEqual([get.status, get.headers.get("allow")], [405, "POST"])
      assert.deepStrictEqual(c1.splice(0), [`POST ${callback}`, `POST ${callback}`])
      assert.deepStrictEqual(c2.splice(0), [`POST ${callback}`, `POST ${callback}?a=/c1`])
    }
    for (const query of ["", "&cell=c2", "&cell=c1", "&cell=c3"]) yield* ask(`${url}${link}${query}`)
    assert.deepStrictEqual(c1, [`GET ${link}`, `GET ${link}&cell=c1`, `GET ${link}&cell=c3`])
    assert.deepStrictEqual(c2, [`GET ${link}&cell=c2`])
  })
)

it.live("readiness names the services that are away by their cell, and asks with a token for it", () =>
  Effect.gen(function* () {
    const { tokens, url } = yield* twoCells(answerLength, (_, response) => response.writeHead(503).end())
    const { json, status } = yield* ask(`${url}/health/ready`)
    assert.deepStrictEqual(
      [status, json.status, json.away],
      [200, "degraded", ["c2/auth", "c2/cases", "c2/payments", "c2/scheduling"]]
    )
    assert.isTrue(json.checks["c1/auth"])
    const named = yield* Effect.forEach(tokens, (token) =>
      Effect.flip(IdentityTokens.make([Redacted.make("secret"), Redacted.make("secret-of-c2")], "c3").verify(token))
    )
    assert.sameMembers(
      named.map((refusal) => refusal._tag === "WrongCell" && refusal.called),
      [...Array(4).fill("c1"), ...Array(4).fill("c2")]
    )
  })
)

const body = JSON.stringify({ action: "UPDATE_EMAIL" })
const unanswered = [
  [
    "/admin/v1/cases",
    { data: [], nextCursor: null },
    (key: string) => rawRequest("GET", detail, [`cv-api-key: ${key}`])
  ],
  ["/admin/v1/jobs", [], (key: string) => `${head("/api/v1/users", body.length, [`cv-api-key: ${key}`])}${body}`]
] as const

for (const [path, list, requestWith] of unanswered) {
  it.effect(`${path} is answered while requests that a cell does not answer have all its slots`, () =>
    Effect.gen(function* () {
      const crowd = Array.from({ length: 10 }, () => makeApiKey("c1"))
      const page: Handle = (_, response) =>
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(list))
      const { c1, url } = yield* twoCells(() => {}, page, crowd)
      // Each organization takes at most as many as it leaves free.
      let free = 256
      for (const key of crowd) {
        for (let count = 0; count < 64; count += 1) yield* begin(url, requestWith(key))
        free -= Math.min(64, Math.ceil(free / 2))
        yield* until(
          Effect.sync(() => c1.length),
          (length) => length === 256 - free
        )
      }
      assert.strictEqual(free, 0)
      const listed = ask(`${url}${path}`, { headers: { authorization: "Bearer operator" } })
      const { json, status } = yield* whileTimePasses(listed, "50 millis")
      assert.deepStrictEqual([status, json], [200, { data: [], nextCursor: null, cellsAway: ["c1"] }])
    })
  )
}

const urlsFrom = (port: number) => ({
  auth: `http://127.0.0.1:${port}`,
  cases: `http://127.0.0.1:${port + 1}`,
  payments: `http://127.0.0.1:${port + 2}`,
  scheduling: `http://127.0.0.1:${port + 3}`
})
const common: ReadonlyArray<readonly [what: string, cells: object, message: string]> = [
  [
    "the secret of the first cell",
    { c2: { ...urlsFrom(1), internalSecret: "another,secret" } },
    "CELLS has an internalSecret of c2 that c1 has as well: give each its own."
  ],
  [
    "a secret twice",
    { c2: { ...urlsFrom(1), internalSecret: "canary" }, c3: { ...urlsFrom(5), internalSecret: "canary" } },
    "CELLS has an internalSecret of c3 that c2 has as well: give each its own."
  ],
  [
    "a URL twice",
    {
      c2: { ...urlsFrom(1), internalSecret: "one" },
      c3: { ...urlsFrom(5), cases: urlsFrom(1).cases, internalSecret: "two" }
    },
    "CELLS has the URL of cases of c3 that c2 has as well: give each its own."
  ]
]
for (const [what, cells, message] of common) {
  it.live(`CELLS with ${what} keeps the gateway from starting`, () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(runGateway({ environment: { CELLS: JSON.stringify(cells) } }))
      assert.strictEqual(error.message, message)
    })
  )
}
