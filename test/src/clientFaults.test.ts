import { getEventListeners } from "node:events"
import type { ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"
import { inspect } from "node:util"
import { Care, CareError, type CareOptions } from "@care/client"
import { serveListener } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { casesOf } from "./harness/claims.ts"
import { type Clinic, makeClinic, newPatient } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

/**
 * What happens to a request: it is forwarded, it never arrives, its answer is lost or ends in the middle, it has no answer, or it has an
 * answer of a proxy.
 */
type Fault =
  | "none"
  | "dropped"
  | "lost"
  | "cut"
  | "hangs"
  | { readonly status: number; readonly retryAfter?: string; readonly location?: string }

/** Runs a proxy before the suite. It has the faults of the list, one for each request, and then none. */
const runFlakyProxy = Effect.fnUntraced(function* (faults: Array<Fault>) {
  const { urls } = yield* Suite
  const requests: Array<{ readonly key: string | undefined; readonly version: string | undefined }> = []
  const answer = async (response: ServerResponse, upstream: Response) => {
    response.writeHead(upstream.status, {
      "content-type": upstream.headers.get("content-type") ?? "",
      "x-request-id": upstream.headers.get("x-request-id") ?? ""
    })
    response.end(await upstream.text())
  }
  const { url } = yield* serveListener(async (request, response) => {
    const { method = "GET", url: path = "/" } = request
    const headerOf = (name: string) => request.headers[name]?.toString()
    requests.push({ key: headerOf("idempotency-key"), version: headerOf("care-version") })
    const fault = faults.shift() ?? "none"
    const body = await buffer(request)
    if (fault === "dropped") return request.socket.destroy()
    if (fault === "hangs") return
    if (typeof fault === "object") {
      const { location, retryAfter, status } = fault
      response.writeHead(status, {
        ...(retryAfter !== undefined && { "retry-after": retryAfter }),
        ...(location !== undefined && { location })
      })
      return response.end(status === 204 ? "" : "unavailable")
    }
    const headers = ["cv-api-key", "content-type", "idempotency-key"].flatMap((name) => {
      const value = headerOf(name)
      return value === undefined ? [] : [[name, value] as const]
    })
    const upstream = await fetch(`${urls.gateway}${path}`, {
      method,
      headers: Object.fromEntries(headers),
      ...(method !== "GET" && { body })
    })
    if (fault === "cut") {
      response.writeHead(upstream.status, { "content-length": "1000000" }).flushHeaders()
      return response.write(await upstream.text(), () => request.socket.destroy())
    }
    return fault === "lost" ? request.socket.destroy() : answer(response, upstream)
  })
  return { url, requests }
})

const clientOf = ({ key }: Pick<Clinic, "key">, baseUrl: string, options: Partial<CareOptions> = {}) =>
  new Care({ apiKey: key, baseUrl, ...options })

/** Returns the error with which a call rejects. */
const errorOf = (call: () => Promise<unknown>) =>
  Effect.promise(() =>
    call().then(
      () => assert.fail("The call succeeded"),
      (error: unknown) => error
    )
  )

const careErrorOf = Effect.fnUntraced(function* (call: () => Promise<unknown>) {
  const error = yield* errorOf(call)
  return error instanceof CareError ? error : assert.fail(String(error))
})

const bodyOf = (clinic: Clinic) => {
  const user = { ...newPatient(), gender: "FEMALE" as const }
  return { user, products: [{ id: clinic.productId }] }
}

testsOn(Suite.shared, "the client and a network with faults", (it) => {
  it("a change takes effect once, with one key, although its answers are lost", function* () {
    const clinic = yield* makeClinic
    const { requests, url } = yield* runFlakyProxy(["lost", "cut"])
    const { data } = yield* Effect.promise(() => clientOf(clinic, url).cases.create(bodyOf(clinic)))
    assert.deepStrictEqual(
      (yield* casesOf(clinic)).map(({ id }) => id),
      [data.caseId]
    )
    assert.lengthOf(requests, 3)
    assert.lengthOf([...new Set(requests.map(({ key }) => key))], 1)
    assert.isDefined(requests[0]?.key)
  })

  it("ten calls at once with a key of the caller's take effect once", function* () {
    const clinic = yield* makeClinic
    const { requests, url } = yield* runFlakyProxy(["lost", "none", "dropped"])
    const care = clientOf(clinic, url)
    const body = bodyOf(clinic)
    const answers = yield* Effect.promise(() =>
      Promise.all(Array.from({ length: 10 }, () => care.cases.create(body, { idempotencyKey: "order-1" })))
    )
    assert.lengthOf([...new Set(answers.map(({ data }) => data.caseId))], 1)
    assert.lengthOf(yield* casesOf(clinic), 1)
    assert.isTrue(requests.every(({ key }) => key === "order-1"))
  })

  it("a key in the body is the only one", function* () {
    const clinic = yield* makeClinic
    const { requests, url } = yield* runFlakyProxy(["lost"])
    yield* Effect.promise(() => clientOf(clinic, url).cases.create({ ...bodyOf(clinic), idempotencyKey: "order-2" }))
    assert.deepStrictEqual(
      requests.map(({ key }) => key),
      [undefined, undefined]
    )
    assert.lengthOf(yield* casesOf(clinic), 1)
  })

  it("a key among the headers of the caller is the only one, in any letter case", function* () {
    const clinic = yield* makeClinic
    const { requests, url } = yield* runFlakyProxy(["lost"])
    const headers = { "Idempotency-Key": "order-3", "CV-API-KEY": "another" }
    yield* Effect.promise(() => clientOf(clinic, url).cases.create(bodyOf(clinic), { headers }))
    assert.deepStrictEqual(
      requests.map(({ key }) => key),
      ["order-3", "order-3"]
    )
  })

  it("429, 500, 502, 503 and 504 are repeated as Retry-After says, up to the number of retries", function* () {
    const clinic = yield* makeClinic
    const passing = [429, 500, 502, 503, 504].map((status) => ({ status, retryAfter: "0" }))
    const { requests, url } = yield* runFlakyProxy([...passing])
    const { data } = yield* Effect.promise(() => clientOf(clinic, url, { maxRetries: 5 }).bundles.list())
    assert.deepStrictEqual(data, [])
    assert.lengthOf(requests, 6)
    const other = yield* runFlakyProxy([...passing])
    const error = yield* careErrorOf(() => clientOf(clinic, other.url).bundles.list())
    assert.deepStrictEqual([error.status, error.code, error.isRetryable], [502, "HTTP_502", true])
    assert.strictEqual(error.body, "unavailable")
    assert.lengthOf(other.requests, 3)
  })

  it("a pause of more than a minute is for the caller", function* () {
    const clinic = yield* makeClinic
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString()
    for (const retryAfter of ["3600", "9".repeat(400), inAnHour]) {
      const { requests, url } = yield* runFlakyProxy([{ status: 503, retryAfter }])
      const error = yield* careErrorOf(() => clientOf(clinic, url).bundles.list())
      assert.strictEqual(error.status, 503)
      assert.lengthOf(requests, 1)
    }
  })

  it("a time in the past is no pause, and what is no time has the client's own", function* () {
    const clinic = yield* makeClinic
    const { requests, url } = yield* runFlakyProxy([
      { status: 503, retryAfter: new Date(0).toUTCString() },
      { status: 503, retryAfter: "soon" }
    ])
    yield* Effect.promise(() => clientOf(clinic, url).bundles.list())
    assert.lengthOf(requests, 3)
  })

  it("a redirect is not followed, so that the key is sent to the API alone", function* () {
    const clinic = yield* makeClinic
    const elsewhere = yield* runFlakyProxy([])
    for (const status of [301, 302, 303, 307, 308]) {
      const { requests, url } = yield* runFlakyProxy([{ status, location: elsewhere.url }])
      const error = yield* careErrorOf(() => clientOf(clinic, url).bundles.list())
      assert.deepStrictEqual([error.status, error.code, error.isRetryable], [status, "REDIRECTED", false])
      assert.lengthOf(requests, 1)
    }
    assert.isEmpty(elsewhere.requests)
  })

  it("an answer that is not JSON is no answer of the API, and one without a body is undefined", function* () {
    const clinic = yield* makeClinic
    const { requests, url } = yield* runFlakyProxy([{ status: 200 }, { status: 200 }, { status: 204 }])
    const error = yield* careErrorOf(() => clientOf(clinic, url, { maxRetries: 0 }).bundles.list())
    assert.deepStrictEqual([error.status, error.code, error.body], [200, "BODY_INVALID", "unavailable"])
    assert.isUndefined(yield* Effect.promise(() => clientOf(clinic, url).bundles.list()))
    assert.lengthOf(requests, 3)
  })

  it("what is no id is refused before anything is sent", function* () {
    const clinic = yield* makeClinic
    const { requests, url } = yield* runFlakyProxy([])
    const care = clientOf(clinic, url)
    for (const id of ["", ".", ".."]) {
      const error = yield* errorOf(() => care.webhookEndpoints.remove(id))
      assert.isTrue(error instanceof TypeError && error.message === "endpointId has to be an id")
    }
    const refused = yield* careErrorOf(() => care.webhookEndpoints.remove("../webhook-endpoints?a#b"))
    assert.strictEqual(refused.status, 404)
    assert.lengthOf(requests, 1)
    for (const baseUrl of [
      "",
      "example.com",
      "ftp://example.com",
      "https://a:b@example.com",
      "https://example.com?a"
    ]) {
      assert.throws(() => clientOf(clinic, baseUrl), /^baseUrl has to be a URL/)
    }
  })

  it("a change without a key is repeated only if nothing can have happened", function* () {
    const clinic = yield* makeClinic
    for (const status of [500, 502, 503, 504]) {
      const { requests, url } = yield* runFlakyProxy([
        { status: 429, retryAfter: "0" },
        { status, retryAfter: "0" }
      ])
      const care = clientOf(clinic, url)
      const error = yield* careErrorOf(() => care.patients.sendCode({ email: "nobody@example.com" }))
      assert.strictEqual(error.status, status)
      assert.deepStrictEqual(
        requests.map(({ key }) => key),
        [undefined, undefined]
      )
    }
  })

  it("a change without a key whose answer ends in the middle is not repeated", function* () {
    const clinic = yield* makeClinic
    const { requests, url } = yield* runFlakyProxy(["cut"])
    const error = yield* careErrorOf(() => clientOf(clinic, url).patients.sendCode({ email: "nobody@example.com" }))
    assert.deepStrictEqual([error.code, error.isRetryable], ["NETWORK", true])
    assert.lengthOf(requests, 1)
  })

  it("a call leaves nothing at the caller's signal, and a limit may be as long as one wants", function* () {
    const clinic = yield* makeClinic
    const { url } = yield* runFlakyProxy(["lost", { status: 503, retryAfter: "0" }, "none", { status: 500 }])
    const care = clientOf(clinic, url, { timeoutMs: Number.POSITIVE_INFINITY })
    const { signal } = new AbortController()
    yield* Effect.promise(() => care.bundles.list({}, { signal }))
    yield* careErrorOf(() => care.bundles.list({}, { signal, maxRetries: 0 }))
    assert.lengthOf(getEventListeners(signal, "abort"), 0)
  })

  it("an attempt ends at the time limit, and the call with TIMEOUT", function* () {
    const clinic = yield* makeClinic
    const { url } = yield* runFlakyProxy(["hangs", "hangs"])
    // On a busy machine the limit ends before an attempt arrives.
    let attempts = 0
    const counting: typeof fetch = (...args) => {
      attempts += 1
      return fetch(...args)
    }
    const care = clientOf(clinic, url, { timeoutMs: 50, maxRetries: 1, fetch: counting })
    const error = yield* careErrorOf(() => care.bundles.list())
    assert.deepStrictEqual([error.code, error.status, error.isRetryable], ["TIMEOUT", undefined, true])
    assert.strictEqual(error.message, "bundles.list had no answer after 50 ms")
    assert.strictEqual(attempts, 2)
  })

  it("a connection that fails is NETWORK", function* () {
    const clinic = yield* makeClinic
    const { url } = yield* runFlakyProxy(["dropped"])
    const error = yield* careErrorOf(() => clientOf(clinic, url, { maxRetries: 0 }).bundles.list())
    assert.deepStrictEqual([error.code, error.operation, error.isRetryable], ["NETWORK", "bundles.list", true])
  })

  it("a signal ends the call with its reason, during a request and during a pause", function* () {
    const clinic = yield* makeClinic
    const reason = new Error("The visitor left")
    for (const fault of ["hangs", { status: 503, retryAfter: "30" }] as const) {
      const { requests, url } = yield* runFlakyProxy([fault])
      const controller = new AbortController()
      const call = errorOf(() => clientOf(clinic, url).bundles.list({}, { signal: controller.signal }))
      const abort = Effect.promise(async () => {
        while (requests.length === 0) await new Promise(setImmediate)
        controller.abort(reason)
      })
      const [error] = yield* Effect.all([call, abort], { concurrency: "unbounded" })
      assert.strictEqual(error, reason)
    }
  })

  it("a refusal is a CareError with status, code, request id and a readable message", function* () {
    const { urls } = yield* Suite
    const clinic = yield* makeClinic
    const care = clientOf(clinic, urls.gateway)
    const unknown = "00000000-0000-4000-8000-000000000000"
    const refused = yield* careErrorOf(() => care.cases.changeStatus(unknown, { status: "CLOSE" }))
    assert.deepStrictEqual([refused.status, refused.code], [400, "CASE_NOT_FOUND"])
    assert.match(refused.message, /Invalid request: No Case found for provided details!/)
    assert.match(refused.requestId ?? "", /^[0-9a-f-]{36}$/)
    assert.isFalse(refused.isRetryable)
    const coded = yield* careErrorOf(() => care.patients.refreshTokens("unknown"))
    assert.strictEqual(coded.code, "REFRESH_TOKEN_UNKNOWN")
  })

  it("the key is in no error and no inspection", function* () {
    const clinic = yield* makeClinic
    const { url } = yield* runFlakyProxy(["dropped"])
    const care = clientOf(clinic, url, { maxRetries: 0 })
    const error = yield* careErrorOf(() => care.bundles.list())
    const shown = inspect([care, error], { depth: 20, showHidden: true }) + JSON.stringify([care, error])
    assert.isFalse(shown.includes(clinic.key))
    assert.throws(() => clientOf({ key: "a key\nof two lines" }, url), /^apiKey is missing, or has characters/)
  })

  it("pages are read when they are reached, and one by its cursor", function* () {
    const { urls } = yield* Suite
    const clinic = yield* makeClinic
    let count = 0
    const care = clientOf(clinic, urls.gateway, {
      fetch: (...args) => {
        count += 1
        return fetch(...args)
      }
    })
    for (const path of ["a", "b", "c"]) {
      yield* Effect.promise(() => care.webhookEndpoints.create({ url: `https://example.com/${path}` }))
    }
    count = 0
    const first = yield* Effect.promise(() => care.webhookEndpoints.list({ limit: 2 }).page())
    const second = yield* Effect.promise(() => care.webhookEndpoints.list({ limit: 2 }).page(first.nextCursor ?? ""))
    assert.deepStrictEqual([first.data.length, second.data.length, second.nextCursor, count], [2, 1, null, 2])
    const urlsRead = yield* Effect.promise(async () => {
      const found: Array<string> = []
      for await (const endpoint of care.webhookEndpoints.list({ limit: 2 })) {
        found.push(endpoint.url)
        if (found.length === 2) assert.strictEqual(count, 3)
      }
      return found
    })
    assert.deepStrictEqual(
      urlsRead,
      [...first.data, ...second.data].map(({ url }) => url)
    )
    assert.strictEqual(count, 4)
  })

  it("the version is sent as care-version", function* () {
    const clinic = yield* makeClinic
    const { requests, url } = yield* runFlakyProxy([])
    yield* Effect.promise(() => clientOf(clinic, url, { version: "2026-11-01" }).bundles.list())
    assert.deepStrictEqual(
      requests.map(({ version }) => version),
      ["2026-11-01"]
    )
  })
})
