import { keyRefused, rateLimits } from "@care/domain/http"
import { serveRoutes } from "@care/service-kit/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { endpointsOf } from "../testing/endpointsOf.ts"
import { layerTestEntry } from "../testing/layerTestEntry.ts"
import { type Answer, ask, begin, firstRefused, head } from "../testing/requests.ts"
import { answerLength, type Handle, keys, resolveKnownKey, upstream } from "../testing/Upstream.ts"
import { Entry } from "./Entry.ts"
import { type PublicRoute, plainRoutes } from "./routes.ts"

const endpointOf = endpointsOf(
  HttpApi.make("made-up").add(
    HttpApiGroup.make("made-up").add(
      HttpApiEndpoint.get("list", "/list", { error: keyRefused }),
      HttpApiEndpoint.post("book", "/book", { error: keyRefused }),
      HttpApiEndpoint.post("write", "/write", { error: keyRefused })
    )
  )
)

const example = plainRoutes.find(({ caller, owner }) => caller === "partner" && owner === "cases")
if (example === undefined) throw new Error("no route")

const list: PublicRoute = { ...example, endpoint: endpointOf("list"), rateLimits: [rateLimits.appointmentsList] }
const book: PublicRoute = {
  ...example,
  endpoint: endpointOf("book"),
  rateLimits: [rateLimits.appointmentsBooking, rateLimits.writes]
}
const write: PublicRoute = { ...example, endpoint: endpointOf("write"), rateLimits: [rateLimits.writes] }

/** Starts a gateway with a list and a booking, whose service answers the status that the request names. */
const serveLimited = Effect.fnUntraced(function* (environment: Readonly<Record<string, string>> = {}) {
  const handle: Handle = (request, response) => {
    const [, status = "200"] = /status=(\d+)/.exec(request.url ?? "") ?? []
    if (status === "200") answerLength(request, response)
    else request.resume().on("end", () => response.writeHead(Number(status)).end("{}"))
  }
  const { targets, url } = yield* upstream(resolveKnownKey, handle)
  const routes = Layer.unwrap(
    Effect.map(Entry, (entry) =>
      Layer.mergeAll(
        HttpRouter.add("GET", "/list", entry.plain(list)),
        HttpRouter.add("POST", "/book", entry.plain(book)),
        HttpRouter.add("POST", "/write", entry.plain(write))
      )
    )
  )
  const gateway = yield* serveRoutes(
    Layer.provide(routes, layerTestEntry({ ...environment, AUTH_URL: url, CASES_URL: url }))
  )
  return { url: gateway, targets }
})

const limitHeaders = ({ headers, status }: Answer) => [
  status,
  headers.get("ratelimit"),
  headers.get("ratelimit-policy"),
  headers.get("retry-after")
]

const policy = '"APPOINTMENTS_LIST";q=500;w=60'

describe("rate limits", () => {
  it.effect(
    "500 requests of an organization reach the list in a minute; the next is answered as the document says",
    () =>
      Effect.gen(function* () {
        const { targets, url } = yield* serveLimited()
        const request = ask(`${url}/list`, { key: keys.one })
        const answers = yield* Effect.replicateEffect(request, 520, { concurrency: 40 })
        assert.lengthOf(
          answers.filter(({ status }) => status === 200),
          500
        )
        assert.lengthOf(targets, 500)
        const refused = yield* request
        assert.deepStrictEqual(limitHeaders(refused), [429, '"APPOINTMENTS_LIST";r=0;t=60', policy, "60"])
        assert.deepStrictEqual(refused.json, {
          status: 429,
          success: false,
          error: "Rate limit exceeded",
          message: "At most 500 requests per 60 seconds are allowed. Try again later.",
          retryAfter: 60
        })
        assert.deepStrictEqual(limitHeaders(yield* ask(`${url}/list`, { key: keys.two })), [
          200,
          '"APPOINTMENTS_LIST";r=499;t=60',
          policy,
          null
        ])
      })
  )

  it.effect(
    "every answer under the limit counts, and its headers have the remaining requests, whatever its status",
    () =>
      Effect.gen(function* () {
        const { url } = yield* serveLimited({ RATE_LIMIT_APPOINTMENTS_LIST: "5", RATE_LIMIT_APPOINTMENTS_BOOKING: "4" })
        const left: Array<unknown> = []
        for (const status of [200, 400, 404, 422, 500]) {
          const answer = yield* ask(`${url}/list?status=${status}`, { key: keys.one })
          left.push([answer.status, answer.headers.get("ratelimit")])
          assert.strictEqual(answer.headers.get("ratelimit-policy"), '"APPOINTMENTS_LIST";q=5;w=60')
        }
        assert.deepStrictEqual(
          left,
          [200, 400, 404, 422, 500].map((status, index) => [status, `"APPOINTMENTS_LIST";r=${4 - index};t=60`])
        )
        assert.strictEqual((yield* ask(`${url}/list`, { key: keys.one })).status, 429)
        const large = { method: "POST", key: keys.one, body: Buffer.alloc(1024 * 1024 + 1, 32) }
        const tooLarge = yield* ask(`${url}/book`, large)
        assert.deepStrictEqual(
          [tooLarge.status, tooLarge.headers.get("ratelimit")],
          [413, '"APPOINTMENTS_BOOKING";r=3;t=60']
        )
      })
  )

  it.effect("all writes share one limit, beside the endpoint's own; reads do not count", () =>
    Effect.gen(function* () {
      const { targets, url } = yield* serveLimited({ RATE_LIMIT_WRITES: "4", RATE_LIMIT_APPOINTMENTS_BOOKING: "3" })
      const write = (path: string, key: string = keys.one) => ask(`${url}${path}`, { method: "POST", key, body: "{}" })
      const writes = '"WRITES";q=4;w=60'
      const bookings = '"APPOINTMENTS_BOOKING";q=3;w=60'
      assert.deepStrictEqual(limitHeaders(yield* write("/book")), [
        200,
        '"APPOINTMENTS_BOOKING";r=2;t=60',
        bookings,
        null
      ])
      assert.deepStrictEqual(limitHeaders(yield* write("/write")), [200, '"WRITES";r=2;t=60', writes, null])
      assert.deepStrictEqual(limitHeaders(yield* write("/write")), [200, '"WRITES";r=1;t=60', writes, null])
      assert.deepStrictEqual(limitHeaders(yield* write("/book")), [200, '"WRITES";r=0;t=60', writes, null])
      for (const path of ["/book", "/write"]) {
        const refused = yield* write(path)
        assert.deepStrictEqual(limitHeaders(refused), [429, '"WRITES";r=0;t=60', writes, "60"])
        assert.deepStrictEqual(refused.json, {
          status: 429,
          success: false,
          error: "Rate limit exceeded",
          message: "At most 4 requests per 60 seconds are allowed. Try again later.",
          retryAfter: 60
        })
      }
      assert.strictEqual((yield* ask(`${url}/list`, { key: keys.one })).status, 200)
      assert.strictEqual((yield* write("/write", keys.two)).status, 200)
      assert.lengthOf(targets, 6)
    })
  )

  it.effect("a refused key counts for nobody, and its answer has no headers of a limit", () =>
    Effect.gen(function* () {
      const { targets, url } = yield* serveLimited({ RATE_LIMIT_APPOINTMENTS_LIST: "2" })
      for (const options of [{}, { key: "cv_wrong" }, { key: "" }, { key: "cv_wrong" }, { key: "cv_wrong" }]) {
        assert.deepStrictEqual(limitHeaders(yield* ask(`${url}/list`, options)), [401, null, null, null])
      }
      const request = Effect.map(ask(`${url}/list`, { key: keys.one }), ({ status }) => status)
      assert.deepStrictEqual(yield* Effect.replicateEffect(request, 3), [200, 200, 429])
      assert.lengthOf(targets, 2)
    })
  )

  it.live("a refusal of too many concurrent requests says when to try again, and counts", () =>
    Effect.gen(function* () {
      const { url } = yield* serveLimited({ REQUESTS_AT_ONCE: "1" })
      yield* begin(url, head("/book", 10, [`cv-api-key: ${keys.one}`]))
      const request = ask(`${url}/book`, { method: "POST", key: keys.one, body: "{}" })
      const refused = yield* firstRefused(request)
      assert.include(refused.json.message, "at a time")
      assert.deepStrictEqual([refused.json.retryAfter, refused.headers.get("retry-after")], [1, "1"])
      assert.match(refused.headers.get("ratelimit") ?? "", /^"APPOINTMENTS_BOOKING";r=\d+;t=\d+$/)
    })
  )
})
