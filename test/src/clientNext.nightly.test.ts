import { spawn } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { buildClient } from "@care/build"
import { Care } from "@care/client"
import { freePort, temporaryFolder } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { makeClinic } from "./harness/fixtures.ts"
import { platformProgram, platforms, runIn } from "./harness/platforms.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const readme = readFileSync(join(import.meta.dirname, "../../packages/client/README.md"), "utf8")
const [, route = ""] = /^```ts file=route\.ts\n([\s\S]*?)^```/m.exec(readme) ?? []

const configuration = `export default { turbopack: { root: ${JSON.stringify(platforms)} } }\n`
const variables = { NEXT_TELEMETRY_DISABLED: "1" }

/** Builds an application of Next.js that has the route of the README. */
const application = Effect.gen(function* () {
  // Next.js bundles only what is below one folder: the application is beside its packages.
  const parent = join(platforms, "dist")
  mkdirSync(parent, { recursive: true })
  const folder = yield* temporaryFolder(0o755, parent)
  yield* Effect.promise(() => buildClient(join(folder, "node_modules/@care/client")))
  const file = join(folder, "app/api/webhooks/route.ts")
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, route)
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }))
  writeFileSync(join(folder, "next.config.mjs"), configuration)
  yield* Effect.promise(() => runIn(folder, platformProgram("next"), ["build"], variables))
  return folder
})

testsOn(Suite.shared, "the receiver of the README in Next.js", (it) => {
  it("accepts what the suite sends, and refuses what is forged or not signed", function* () {
    const { urls } = yield* Suite
    const { key } = yield* makeClinic
    const folder = yield* application
    const port = yield* freePort
    const care = new Care({ apiKey: key, baseUrl: urls.gateway })
    const url = `http://127.0.0.1:${port}/api/webhooks`
    const { data: endpoint } = yield* Effect.promise(() => care.webhookEndpoints.create({ url, eventTypes: ["ping"] }))
    const env = { ...process.env, ...variables, CARE_WEBHOOK_SECRET: endpoint.secret }
    const parameters = ["start", "--hostname", "127.0.0.1", "--port", String(port)]
    const app = spawn(platformProgram("next"), parameters, { cwd: folder, env, stdio: "ignore" })
    yield* Effect.addFinalizer(() => Effect.sync(() => app.kill()))
    const send = (headers: Readonly<Record<string, string>>) =>
      Effect.promise(() =>
        fetch(url, { method: "POST", headers, body: "{}" }).then(
          ({ status }) => status,
          () => 0
        )
      )
    yield* until(send({}), (status) => status === 400)
    yield* Effect.promise(() => care.webhookEndpoints.test(endpoint.id))
    const { data } = yield* until(
      Effect.promise(() => care.webhookEndpoints.deliveries(endpoint.id).page()),
      (page) => page.data.some(({ status }) => status === "DELIVERED")
    )
    assert.lengthOf(data, 1)
    const now = String(Math.floor(Date.now() / 1000))
    const forged = { "webhook-id": "1", "webhook-timestamp": now, "webhook-signature": `v1,${btoa("x".repeat(32))}` }
    assert.strictEqual(yield* send(forged), 400)
  }, 180_000)
})
