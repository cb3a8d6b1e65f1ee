import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { serveListener, until } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Webhook } from "standardwebhooks"
import { runAt } from "../../test/runAt.ts"

const secret = `whsec_${Buffer.alloc(32, 3).toString("base64")}`

/** Runs `care listen` against a gateway that answers the creation of an endpoint so, and returns the output. */
const listen = Effect.fnUntraced(function* (
  answer: (url: string) => Promise<readonly [number, unknown]>,
  changes: Readonly<Record<string, string>> = {}
) {
  const { url } = yield* serveListener(async (request, response) => {
    const body = await text(request)
    const [status, json] = request.method === "POST" ? await answer(JSON.parse(body).url) : [200, { data: [] }]
    response.writeHead(status).end(JSON.stringify(json))
  })
  const lines: Array<string> = []
  const running = yield* Effect.forkChild(runAt(url, ["listen"], lines, lines, changes))
  return { running, lines }
})

it.live("an event that arrives before the gateway has answered with the secret is accepted", () =>
  Effect.gen(function* () {
    const answered = yield* Deferred.make<number>()
    const { running, lines } = yield* listen(async (url) => {
      const now = new Date()
      const body = JSON.stringify({ type: "case.created", timestamp: now.toISOString(), data: {} })
      const headers = {
        "webhook-id": "early",
        "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
        "webhook-signature": new Webhook(secret).sign("early", now, body)
      }
      const early = fetch(url, { method: "POST", headers, body }).then(({ status }) =>
        Deferred.doneUnsafe(answered, Effect.succeed(status))
      )
      // The probe is answered first, and by then the event has arrived.
      await Promise.race([early, fetch(url)])
      return [201, { data: { id: "1", secret } }]
    })
    assert.strictEqual(yield* Deferred.await(answered), 204)
    assert.isTrue(lines.some((line) => line.includes("case.created")))
    yield* Fiber.interrupt(running)
  }).pipe(Effect.scoped)
)

it.live("says in which mode it listens, and to whose events", () =>
  Effect.gen(function* () {
    const directory = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "care-listen-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true }))
    )
    writeFileSync(join(directory, "demo.json"), JSON.stringify({ apiKey: "cv_live_c1_1", testApiKey: "cv_test_c1_2" }))
    for (const [key, owner] of [
      ["cv_test_c1_3", "the key's organization in test mode"],
      ["cv_live_c1_4", "the key's organization in live mode"],
      ["", "the demo organization in live mode"]
    ] as const) {
      const { running, lines } = yield* listen(async () => [201, { data: { id: "1", secret } }], {
        CARE_API_KEY: key,
        CARE_DATA_DIR: directory
      })
      yield* until(
        Effect.sync(() => lines.length),
        (length) => length > 0
      )
      assert.deepStrictEqual(lines, [`Listening for events of ${owner}: Ctrl-C stops it`])
      yield* Fiber.interrupt(running)
    }
  }).pipe(Effect.scoped)
)

it.live("says that a suite in production sends nothing to this machine", () =>
  Effect.gen(function* () {
    const { running, lines } = yield* listen(async () => [400, { error: "url, must be an https URL" }])
    assert.isFalse((yield* Fiber.join(running)).isSuccess)
    assert.deepStrictEqual(lines, [
      "The suite does not send to this machine (url, must be an https URL): run care listen on the machine of a suite in development."
    ])
  }).pipe(Effect.scoped)
)
