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
