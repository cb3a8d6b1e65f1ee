import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { at9, at930, idOf, monday, startScheduling, token } from "../../test/scheduling.ts"
import { Ledger } from "./Ledger.ts"
import { runScheduling } from "./runScheduling.ts"

it.live("accepts only its token", () =>
  Effect.gen(function* () {
    const { url } = yield* startScheduling()
    const request = (path: string, headers: Record<string, string>) =>
      Effect.promise(() =>
        fetch(`${url}${path}`, { headers }).then(async (response) => [response.status, await response.json()] as const)
      )
    assert.strictEqual((yield* request("/users/me", { authorization: `Bearer ${token}` }))[0], 200)
    for (const path of ["/users/me", "/control/requests"]) {
      for (const headers of [{}, { authorization: "Bearer other" }, { authorization: token }]) {
        const [status, body] = yield* request(path, headers)
        assert.strictEqual(status, 401)
        assert.deepInclude(body, { title: "Unauthenticated" })
      }
    }
  }).pipe(Effect.scoped)
)

it.live("answers other paths with 404, and says in a sentence that its port is taken", () =>
  Effect.gen(function* () {
    const { get, post, url } = yield* startScheduling()
    for (const { body, status } of [yield* get("/nothing"), yield* post("/event_types", {})]) {
      assert.strictEqual(status, 404)
      assert.deepInclude(body, { title: "Resource Not Found" })
    }
    const { message } = yield* Effect.flip(runScheduling({ port: Number(new URL(url).port), token }))
    assert.match(message, /^The stand-in for the scheduling provider does not start: .*EADDRINUSE/)
  }).pipe(Effect.scoped)
)

it.live("lists the received requests, and clears them", () =>
  Effect.gen(function* () {
    const { book, control, get } = yield* startScheduling()
    yield* get("/event_types?count=0")
    yield* book({ start_time: "nonsense" })
    const [first, second] = yield* control.requests
    assert.deepStrictEqual(first, { method: "GET", path: "/event_types", query: { count: "0" }, body: {} })
    assert.deepInclude(second, { method: "POST", path: "/invitees", query: {} })
    assert.deepInclude(second?.body, { start_time: "nonsense" })
    yield* control.forgetRequests
    assert.deepStrictEqual(yield* control.requests, [])
  }).pipe(Effect.scoped)
)

it.effect("whenever it is killed, a reschedule is complete or has not happened", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(monday)
    const folder = yield* temporaryFolder()
    const file = join(folder, "scheduling.journal")
    yield* Effect.scoped(
      Effect.gen(function* () {
        const { control } = yield* startScheduling({
          file,
          webhooks: [{ url: "http://127.0.0.1:9", secret: "secret" }]
        })
        yield* control.setDeliveryMode({ isHeld: true })
        const { event } = yield* control.takeSlot("et_demo_30min", at9)
        yield* control.reschedule(idOf(event.uri), "invitee", at930)
      })
    )
    const written = readFileSync(file, "utf8")
    const ends = Array.from(written.matchAll(/\n/g), ({ index }) => index)
    const states = new Set<string>()
    for (const length of [0, ...ends.flatMap((end) => [end - 50, end, end + 1])]) {
      const cut = join(folder, "cut.journal")
      writeFileSync(cut, written.slice(0, length))
      const ledger = new Ledger(cut)
      const active = ledger.all("booking").filter(({ cancellation }) => cancellation === null)
      states.add(`${active.length} of ${ledger.all("booking").length}, ${ledger.all("delivery").length} to tell`)
    }
    assert.deepStrictEqual([...states], ["0 of 0, 0 to tell", "1 of 1, 1 to tell", "1 of 2, 3 to tell"])
  }).pipe(Effect.scoped)
)
