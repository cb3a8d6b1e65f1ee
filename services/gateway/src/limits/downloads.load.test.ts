import { once } from "node:events"
import type { ServerResponse } from "node:http"
import { connection, rawRequest, readSlowly, until, untilClosed } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { ask } from "../testing/requests.ts"
import { runGateway } from "../testing/runGateway.ts"
import { answerLength, type Handle, keys } from "../testing/Upstream.ts"

const file = Buffer.alloc(24 * 1024 * 1024, "x")
const path = "/api/v1/customer-case-detail?caseId=large"

const makeFiles = Effect.gen(function* () {
  const ended = yield* Queue.unbounded<"sent" | "broken off">()
  const handle: Handle = (request, response) => {
    if (!request.url?.includes("large")) return answerLength(request, response)
    response.on("close", () => Queue.offerUnsafe(ended, response.writableFinished ? "sent" : "broken off"))
    response.writeHead(200, { "content-type": "application/octet-stream", "content-length": file.length }).end(file)
  }
  return { handle, ended }
})

const download = (url: string, target: string, headers: ReadonlyArray<string>, localAddress?: string) =>
  Effect.gen(function* () {
    const socket = yield* connection(url, localAddress)
    socket.write(rawRequest("GET", target, headers))
    return socket
  })

const keyOfOne = [`cv-api-key: ${keys.one}`]
const keyOfTwo = [`cv-api-key: ${keys.two}`]

it.live(
  "an answer that is read slowly is sent whole; one that nobody reads is broken off, and its slot is free again",
  () =>
    Effect.gen(function* () {
      const { ended, handle } = yield* makeFiles
      const { url } = yield* runGateway({
        handle,
        environment: { REQUEST_TIME_LIMIT: "1 second", IDLE_TIME_LIMIT: "1 second", REQUESTS_AT_ONCE: "1" }
      })
      const unread = yield* download(url, path, keyOfTwo)
      const slow = yield* download(url, path, keyOfOne)
      const read = yield* readSlowly(slow, 8)
      assert.isAbove(read, file.length)
      assert.sameMembers(yield* Queue.takeN(ended, 2), ["sent", "broken off"])
      assert.isBelow((yield* untilClosed(unread)).length, file.length)
      assert.strictEqual((yield* ask(`${url}/api/v1/promo`, { key: keys.one })).status, 404)
      for (const key of [keys.one, keys.two]) {
        assert.strictEqual((yield* ask(`${url}/api/v1/customer-latest-case-id`, { key })).status, 200)
      }
    })
)

it.live("an answer whose reader hangs up is broken off at the service too, and its slot is free again", () =>
  Effect.gen(function* () {
    const { ended, handle } = yield* makeFiles
    const { url } = yield* runGateway({ handle, environment: { REQUESTS_AT_ONCE: "1" } })
    for (let count = 0; count < 3; count += 1) {
      const socket = yield* download(url, path, keyOfOne)
      yield* Effect.promise(() => once(socket, "data"))
      socket.destroy()
      assert.strictEqual(yield* Queue.take(ended), "broken off")
      const next = ask(`${url}/api/v1/customer-latest-case-id`, { key: keys.one })
      assert.strictEqual((yield* Effect.repeat(next, { until: ({ status }) => status !== 429 })).status, 200)
    }
  })
)

it.live("answers of one organization that do not end leave slots for all others, also for requests with links", () =>
  Effect.gen(function* () {
    const open: Array<ServerResponse> = []
    const handle: Handle = (request, response) => {
      if (request.url?.includes("latest")) return answerLength(request, response)
      response.writeHead(200, { "content-type": "application/octet-stream" }).write("x")
      open.push(response)
    }
    const { url } = yield* runGateway({ handle, environment: { REQUESTS_AT_ONCE: "1000" } })
    const link = (id: number) => `/api/v1/documents/${id}?organizationId=one&expires=1&signature=x`
    const answerTo = Effect.fnUntraced(function* (target: string, headers: ReadonlyArray<string>) {
      const socket = yield* download(url, target, headers)
      const [first] = yield* Effect.promise(() => once(socket, "data"))
      return { socket, status: Number(String(first).split(" ")[1]) }
    })
    const answers = [
      ...(yield* Effect.replicateEffect(answerTo(path, keyOfOne), 140, { concurrency: 20 })),
      ...(yield* Effect.forEach(Array(70).keys(), (id) => answerTo(link(id), []), { concurrency: 20 }))
    ]
    assert.lengthOf(open, 128 + 64)
    assert.strictEqual(answers.filter(({ status }) => status === 200).length, 128 + 64)
    assert.strictEqual(answers.filter(({ status }) => status === 429).length, 12 + 6)
    assert.strictEqual((yield* ask(`${url}/api/v1/customer-latest-case-id`, { key: keys.two })).status, 200)
    for (const response of open) response.end()
    yield* Effect.forEach(answers, ({ socket }) => untilClosed(socket), { concurrency: "unbounded" })
  })
)

it.live("one address has its share of the slots for links, whatever organizations it invents", () =>
  Effect.gen(function* () {
    const open: Array<ServerResponse> = []
    const { url } = yield* runGateway({ handle: (_, response) => void open.push(response) })
    const link = (organization: number) => `/api/v1/documents/x?organizationId=${organization}&expires=1&signature=x`
    const requests = yield* Effect.forEach(Array(140).keys(), (organization) =>
      download(url, link(organization), [], "127.0.3.1")
    )
    // A request that waits in vain is refused.
    const refused = Effect.sync(() => requests.filter(({ bytesRead }) => bytesRead > 0).length)
    assert.strictEqual(yield* until(refused, (count) => count >= 140 - 64), 140 - 64)
    assert.lengthOf(open, 64)
    const other = yield* download(url, link(0), [], "127.0.3.2")
    yield* until(
      Effect.sync(() => open.length),
      (count) => count > 64
    )
    for (const response of open) response.end()
    assert.include(yield* untilClosed(other), "200 OK")
  })
)
