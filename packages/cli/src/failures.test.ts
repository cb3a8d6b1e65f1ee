import { serveListener } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { runAt } from "../test/runAt.ts"
import { exitCodes } from "./CommandFailed.ts"

const answers = [
  [404, undefined, exitCodes.failed, ""],
  [403, "STEP_UP_NEEDED", exitCodes.signIn, "\nA passkey is needed again: run `care login`."],
  [403, "SECOND_FACTOR_NEEDED", exitCodes.signIn, "\nSign in with `care login`."],
  [403, "ROLE_REFUSED", exitCodes.failed, ""],
  [503, undefined, exitCodes.unavailable, ""]
] as const

it.live("a failure has the exit code of its kind, and says what to do about it", () =>
  Effect.gen(function* () {
    for (const [status, code, exitCode, remedy] of answers) {
      const { url } = yield* serveListener((_, response) => {
        response.writeHead(status, { "x-request-id": "r1" })
        response.end(JSON.stringify({ title: "Title", detail: "Detail.", status, code }))
      })
      const failed = yield* runAt(url, ["org", "list"])
      assert.strictEqual(failed.exitCode, exitCode)
      assert.deepStrictEqual(failed.err, [`Title: Detail. (status ${status}, request r1)${remedy}`])
    }
    const away = yield* runAt("http://127.0.0.1:1", ["org", "list"])
    assert.strictEqual(away.exitCode, exitCodes.unavailable)
  }).pipe(Effect.scoped)
)

it.live("an answer that is no JSON, or breaks off, is said in words that quote nothing of it", () =>
  Effect.gen(function* () {
    const proxy = yield* serveListener((_, response) => void response.writeHead(502).end("<html>secret</html>"))
    const answered = yield* runAt(proxy.url, ["org", "list"])
    assert.deepStrictEqual(answered.err, ["The gateway answered 502. (status 502)"])
    const broken = yield* serveListener((_, response) => {
      response.writeHead(200, { "content-length": "100" })
      response.write("{", () => response.destroy())
    })
    const brokenOff = yield* runAt(broken.url, ["org", "show", "3b241101-e2bb-4255-8caf-4136c566a962"])
    assert.deepStrictEqual(brokenOff.err, ["The gateway's response broke off: try again."])
    const other = yield* serveListener((_, response) => void response.end(JSON.stringify({ services: "secret" })))
    const strange = yield* runAt(other.url, ["reconcile"])
    assert.deepStrictEqual(strange.err, [
      "The gateway's response is not what care expects: use care of the gateway's version."
    ])
  }).pipe(Effect.scoped)
)

it.live("wrong parameters have an exit code of their own, and nothing is sent", () =>
  Effect.gen(function* () {
    const { url } = yield* serveListener((_, response) => void response.writeHead(500).end())
    for (const parameters of [
      ["org", "show"],
      ["org", "nonsense"],
      ["promo", "create", "WELCOME"],
      ["incident", "open", "Late", "BROKEN", "Orders are late."]
    ]) {
      for (const line of [parameters, [...parameters, "--json"]]) {
        assert.strictEqual((yield* runAt(url, line)).exitCode, exitCodes.usage, line.join(" "))
      }
    }
  }).pipe(Effect.scoped)
)
