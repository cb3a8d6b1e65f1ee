import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { exchange, rawRequest, temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { parse } from "../testing/requests.ts"
import { runGateway } from "../testing/runGateway.ts"

const path = "/docs/demo.json"

it.live("the demo keys are read by a reader on this machine alone, by its own name and without a proxy", () =>
  Effect.gen(function* () {
    const file = join(yield* temporaryFolder(), "demo.json")
    const { url } = yield* runGateway({ environment: { DOCS_DEMO: file } })
    const port = new URL(url).port
    const get = (host: string, others: ReadonlyArray<string> = []) =>
      Effect.map(
        exchange(url, [`GET ${path} HTTP/1.1`, `Host: ${host}`, "Connection: close", ...others, "", ""].join("\r\n")),
        parse
      )
    assert.strictEqual((yield* get(`localhost:${port}`)).status, 404)
    const ofSandbox = { testApiKey: "test-key", testProductIds: ["third"] }
    writeFileSync(
      file,
      JSON.stringify({ apiKey: "demo-key", productIds: ["first", "second"], ...ofSandbox, bundleId: "x" })
    )
    const shown = { apiKey: "demo-key", productId: "first", testApiKey: "test-key", testProductId: "third" }
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      const { json, status } = yield* get(host)
      assert.deepStrictEqual([host, status, json], [host, 200, shown])
    }
    assert.strictEqual((yield* get(`attacker.example:${port}`)).status, 404)
    assert.strictEqual((yield* get(`localhost:${port}`, ["X-Forwarded-For: 192.0.2.1"])).status, 404)
    writeFileSync(file, "nonsense")
    assert.strictEqual((yield* get(`localhost:${port}`)).status, 404)
    const without = yield* runGateway()
    assert.strictEqual(parse(yield* exchange(without.url, rawRequest("GET", path))).status, 404)
  })
)
