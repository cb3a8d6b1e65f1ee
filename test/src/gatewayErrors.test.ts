import type { Socket } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { errorCodeHeader, shownRequestId } from "@care/domain/http"
import { exchange, rawRequest, untilClosed } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { ask, begin, head, whileTimePasses } from "../../services/gateway/src/testing/requests.ts"
import { runGateway } from "../../services/gateway/src/testing/runGateway.ts"
import {
  type Handle,
  keys,
  resolveKeyOfNetworks,
  resolveScopedKey
} from "../../services/gateway/src/testing/Upstream.ts"
import { type ShownCode, shownAnswers } from "../errors/gatewayErrors.ts"

const key = `cv-api-key: ${keys.one}`
const cases = "/api/v1/cases"

// The headers that say something about a refusal.
const telling = ["allow", "content-type", "retry-after", "www-authenticate", errorCodeHeader]

/** What a raw answer says, and what the catalogue shows for its code. */
const parsed = (text: string) => {
  const [top = "", body = ""] = text.split("\r\n\r\n")
  const [line = "", ...lines] = top.split("\r\n")
  const headers = lines.map((each) => each.split(": ", 2)).filter(([name = ""]) => telling.includes(name.toLowerCase()))
  return {
    status: Number(line.split(" ")[1]),
    headers: Object.fromEntries(headers.map(([name = "", value = ""]) => [name.toLowerCase(), value])),
    body: JSON.parse(body.replace(/^[0-9a-f]+\r\n|\r\n0\r\n$/g, ""))
  }
}

const shown = (code: ShownCode) => {
  const { body, headers, status } = shownAnswers[code]
  return { status, headers: { "content-type": "application/json", [errorCodeHeader]: code, ...headers }, body }
}

const isShown = (code: ShownCode, text: string) => assert.deepStrictEqual(parsed(text), shown(code))

const post = (...headers: ReadonlyArray<string>) => rawRequest("POST", cases, headers)

it.live("refuses paths, methods, keys, versions, and what is too large or no HTTP, as the catalogue shows", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway()
    const send = (code: ShownCode, text: string) => Effect.map(exchange(url, text), (answer) => isShown(code, answer))
    yield* send("NOT_FOUND", rawRequest("GET", "/api/v1/nothing", ["accept: text/html"]))
    yield* send("METHOD_NOT_ALLOWED", rawRequest("DELETE", cases))
    yield* send("KEY_MISSING", post())
    yield* send("KEY_INVALID", post("cv-api-key: cv_revoked"))
    yield* send("TEST_KEY_NEEDED", rawRequest("GET", "/api/v1/test/clock", [key]))
    yield* send("REQUEST_INVALID", post(key, "care-version: 2020-01-01"))
    yield* send("BODY_TOO_LARGE", post(key, `content-length: ${2 * 1024 * 1024}`))
    yield* send("HEADERS_TOO_LARGE", post(key, `x-filler: ${"x".repeat(20 * 1024)}`))
    yield* send("NOT_HTTP", "Is anybody there?\r\n\r\n")
  })
)

it.live("refuses keys without a scope or from elsewhere, and a service that is away, as the catalogue shows", () =>
  Effect.gen(function* () {
    const scoped = yield* runGateway({ resolveKey: resolveScopedKey(["cases:read"]) })
    isShown("SCOPE_MISSING", yield* exchange(scoped.url, post(key)))
    const elsewhere = yield* runGateway({
      resolveKey: resolveKeyOfNetworks(["192.0.2.0/24"]),
      environment: { TRUSTED_PROXIES: "127.0.0.0/8,::1" }
    })
    const from = rawRequest("GET", "/api/v1/users/me", [key, "x-forwarded-for: 198.51.100.7"])
    isShown("NETWORK_REFUSED", yield* exchange(elsewhere.url, from))
    const gone: Handle = (request) => request.socket.destroy()
    const away = yield* runGateway({ handle: gone })
    isShown("UNAVAILABLE", yield* exchange(away.url, post(key, `x-request-id: ${shownRequestId}`)))
  })
)

it.live("refuses a head that does not come, as the catalogue shows", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway({ environment: { REQUEST_TIME_LIMIT: "100 millis" } })
    const socket = yield* begin(url, `POST ${cases} HTTP/1.1\r\nhost:`)
    isShown("REQUEST_TOO_SLOW", yield* untilClosed(socket))
  })
)

it.effect("refuses more requests than a limit in a minute, as the catalogue shows", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway()
    const path = "/api/v1/calendar/appointments"
    const book = ask(`${url}${path}`, { method: "POST", key: keys.one, body: "{}" })
    yield* Effect.forEach(Array(100).keys(), () => book, { concurrency: 10 })
    isShown("RATE_LIMITED", yield* exchange(url, rawRequest("POST", path, [key])))
  })
)

// Passes time in small steps until one of the connections is closed.
const untilOneIsClosed = (sockets: ReadonlyArray<Socket>) =>
  Effect.repeat(
    Effect.gen(function* () {
      yield* TestClock.adjust("100 millis")
      yield* Effect.promise(() => pause(5))
      return sockets.some(({ closed }) => closed)
    }),
    { until: (isClosed) => isClosed }
  )

it.effect("refuses more requests at a time than a limit, and bodies that do not come, as the catalogue shows", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway({ environment: { BODY_GRACE: "60 seconds" } })
    const sockets = yield* Effect.forEach(Array(65).keys(), () => begin(url, `${head(cases, 100, [key])}{`))
    const answers = yield* Effect.forkChild(Effect.forEach(sockets, untilClosed, { concurrency: "unbounded" }))
    yield* untilOneIsClosed(sockets)
    const [tooMany = "", ...others] = (yield* whileTimePasses(Fiber.join(answers))).toSorted(
      (one, other) => parsed(other).status - parsed(one).status
    )
    isShown("TOO_MANY_AT_ONCE", tooMany)
    assert.lengthOf(others, 64)
    for (const answer of others) isShown("BODY_TOO_SLOW", answer)
  })
)
