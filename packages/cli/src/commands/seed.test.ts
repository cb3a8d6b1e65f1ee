import { randomUUID } from "node:crypto"
import { serveListener } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { runAt } from "../../test/runAt.ts"
import { exitCodes } from "../CommandFailed.ts"

const listening = Effect.gen(function* () {
  const requests: Array<string> = []
  const answer = { status: 200, body: '{"data":[],"nextCursor":null}' }
  const { url } = yield* serveListener((request, response) => {
    requests.push(request.url ?? "")
    response.writeHead(answer.status, { "x-request-id": "r1" }).end(answer.body)
  })
  const seed = (key: string, ...parameters: ReadonlyArray<string>) =>
    runAt(url, ["seed", "demo", ...parameters], [], [], { CARE_API_KEY: key })
  return { answer, requests, seed }
})

it.live("care seed demo refuses keys of live organizations, and wrong numbers, before it asks anything", () =>
  Effect.gen(function* () {
    const { requests, seed } = yield* listening
    for (const key of ["cv_live_c1_0123456789", "cv_older", "other"]) {
      const { err, exitCode } = yield* seed(key)
      assert.strictEqual(exitCode, exitCodes.failed)
      assert.match(err.join("\n"), /^This command needs a test key \(cv_test_\.\.\.\)/)
      assert.notInclude(err.join("\n"), key)
    }
    for (const parameters of [["--cases=0"], ["--cases=10001"], ["--weeks=27"], ["--seed=-1"], ["--cases=some"]]) {
      assert.strictEqual((yield* seed("cv_test_c1_0123456789", ...parameters)).exitCode, exitCodes.usage)
    }
    assert.deepStrictEqual(requests, [])
  }).pipe(Effect.scoped)
)

it.live("care seed demo says what is missing, and why it was refused", () =>
  Effect.gen(function* () {
    const { answer, seed } = yield* listening
    const key = "cv_test_c1_0123456789"
    const empty = yield* seed(key)
    assert.match(empty.err.join("\n"), /^The sandbox has no products\./)
    Object.assign(answer, { status: 401, body: '{"error":"Unauthorized request"}' })
    const refused = yield* seed(key)
    assert.deepStrictEqual(refused.err, ["Unauthorized request (status 401, request r1)"])
    const away = yield* runAt("http://127.0.0.1:1", ["seed", "demo"], [], [], { CARE_API_KEY: key })
    assert.strictEqual(away.exitCode, exitCodes.unavailable)
  }).pipe(Effect.scoped)
)

it.live("care seed demo ends when the clock of the sandbox gets no further", () =>
  Effect.gen(function* () {
    const at = "2026-11-27T12:00:00.000Z"
    const moves: Array<string> = []
    const progress = { id: randomUUID(), state: "STOPPED", from: at, target: at, steps: 1 }
    const { url } = yield* serveListener((request, response) => {
      const path = (request.url ?? "").split("?")[0] ?? ""
      if (path.endsWith("/advance")) moves.push(path)
      const answers: Readonly<Record<string, unknown>> = {
        "/api/v1/products": { data: [{ id: randomUUID() }], nextCursor: null },
        "/api/v1/test/clock": { data: { now: at, advance: null } },
        "/api/v1/test/clock/advance": {
          // The first move gets on.
          data: { progress: { ...progress, reached: moves.length === 1 ? "2026-11-27T13:00:00.000Z" : at } }
        }
      }
      response.writeHead(path in answers ? 200 : 409).end(JSON.stringify(answers[path] ?? { error: "Refused" }))
    })
    const key = { CARE_API_KEY: "cv_test_c1_0123456789" }
    const { err, exitCode } = yield* runAt(url, ["seed", "demo", "--cases=1", "--seed=1"], [], [], key)
    assert.strictEqual(exitCode, exitCodes.failed)
    assert.include(err.join("\n"), `The clock of the sandbox stopped at ${at}`)
    assert.lengthOf(moves, 2)
  }).pipe(Effect.scoped)
)
