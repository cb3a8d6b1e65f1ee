import { runCare, Screen } from "@care/cli"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert } from "@effect/vitest"
import { ConfigProvider, Console, Effect, Fiber } from "effect"
import { call } from "./harness/call.ts"
import { careCommand } from "./harness/careCommand.ts"
import { makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

testsOn(Suite.shared, "care logs", (it) => {
  const refused = (key: string) => call("GET", "/api/v1/events?limit=none", { key })
  const accepted = (key: string) => call("GET", "/api/v1/events", { key })

  it("prints requests, the newest last, with the error code and where it is explained", function* () {
    const { key } = yield* makeClinic
    yield* accepted(key)
    const answer = yield* refused(key)
    const { urls } = yield* Suite
    const environment = { CARE_API_KEY: key }
    const out = yield* until(careCommand(["logs"], environment), (lines) => lines.split("\n").length === 2)
    const [first = "", second = ""] = out.split("\n")
    assert.match(first, /^\S+Z {2}200 {2}GET \/api\/v1\/events {2}\d+ ms {2}\S+$/)
    assert.include(second, `  400  GET /api/v1/events  `)
    assert.include(
      second,
      `${answer.headers.get("x-request-id")}  REQUEST_INVALID  ${urls.gateway}/docs/errors#REQUEST_INVALID`
    )
    const json: string = yield* careCommand(["logs", "--status", "4xx", "--json"], environment)
    assert.deepInclude(JSON.parse(json), { status: 400, errorCode: "REQUEST_INVALID" })
    assert.strictEqual(yield* careCommand(["logs", "--request", "unknown"], environment), "")
    const alike = ["logs", "--method", "GET", "--path", "/api/v1/events"]
    assert.lengthOf((yield* careCommand(alike, environment)).split("\n"), 2)
    assert.strictEqual(yield* careCommand(["logs", "--method", "POST"], environment), "")
  })

  it("--follow prints each new request once, and paints the status on a terminal", function* () {
    const { key } = yield* makeClinic
    const { urls } = yield* Suite
    const lines: Array<string> = []
    const capturing: Console.Console = Object.assign(Object.create(console), {
      log: (line: string) => lines.push(line)
    })
    const count = (expected: number) =>
      until(
        Effect.sync(() => lines.length),
        (printed) => printed >= expected
      )
    yield* accepted(key)
    const running = yield* runCare(["logs", "--follow"]).pipe(
      Effect.provide(NodeServices.layer),
      Effect.provideService(Screen, { width: 200 }),
      Effect.provideService(
        ConfigProvider.ConfigProvider,
        ConfigProvider.fromEnvRecord({ CARE_URL: urls.gateway, CARE_API_KEY: key })
      ),
      Effect.provideService(Console.Console, capturing),
      Effect.forkChild
    )
    yield* count(1)
    yield* Effect.all(Array.from({ length: 5 }, () => accepted(key)))
    yield* count(6)
    yield* refused(key)
    yield* count(7)
    yield* Fiber.interrupt(running)
    assert.lengthOf(lines, 7)
    assert.lengthOf(new Set(lines.map((line) => line.split("  ")[4])), 7)
    assert.include(lines[0], "\u001b[32m200\u001b[0m")
    assert.include(lines[6], "\u001b[33m400\u001b[0m")
  })
})
