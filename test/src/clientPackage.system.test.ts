import { execFile, spawn } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { runInNewContext } from "node:vm"
import { gzipSync } from "node:zlib"
import { buildClient, bundleClient } from "@care/build"
import { Care } from "@care/client"
import { findFreeBase } from "@care/sandbox"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { examples } from "../client/examples.ts"
import { makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { receiveEvents } from "./harness/receiveEvents.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const root = join(import.meta.dirname, "../..")
const readme = readFileSync(join(root, "packages/client/README.md"), "utf8")
const largestBytes = 25_000
const run = promisify(execFile)

const tsc = (folder: string, ...options: ReadonlyArray<string>) =>
  Effect.promise(() =>
    run(join(root, "node_modules/.bin/tsc"), ["--noEmit", "--strict", "--module", "NodeNext", ...options], {
      cwd: folder
    }).catch((error: { readonly stdout: string }) => assert.fail(error.stdout))
  )

/** The code blocks of the README by their names; those without one are numbered. */
const blocks = Array.from(
  readme.matchAll(/^```ts(?: file=(\S+))?\n([\s\S]*?)^```/gm),
  ([, name, code = ""], index) => ({
    name: name ?? `block${index}.ts`,
    code
  })
)

/** What the examples of the doc comments use. */
const declared = `import { Care } from "@care/client"
declare const care: Care
declare const headers: Record<string, string>
declare const ${[
  ...[
    "accessToken",
    "advanceId",
    "appointmentId",
    "attendeeEmail",
    "body",
    "bundleId",
    "caseId",
    "code",
    "codeEmail",
    "deliveryId"
  ],
  ...[
    "email",
    "endpointId",
    "escalationId",
    "eventId",
    "newEmail",
    "oldEndpointId",
    "orderId",
    "patientEmail",
    "paymentId"
  ],
  ...[
    "phoneNumber",
    "productId",
    "promoCode",
    "receiverUrl",
    "refreshToken",
    "secret",
    "sentEventId",
    "setupId",
    "slot",
    "testCaseId"
  ]
]
  .map((name) => `${name}: string`)
  .join(", ")}
`

/** Makes a project that has installed the built package, and has the code of the README. */
const installed = Effect.gen(function* () {
  const folder = yield* temporaryFolder()
  const modules = join(folder, "node_modules")
  yield* Effect.promise(() => buildClient(join(modules, "@care", "client")))
  mkdirSync(join(modules, "@types"))
  const require = createRequire(import.meta.url)
  for (const name of ["express", "@types/express", "@types/node", "vitest"]) {
    symlinkSync(dirname(require.resolve(`${name}/package.json`)), join(modules, name))
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  for (const { code, name } of blocks) writeFileSync(join(folder, name), code)
  const functions = examples.map(({ code }, index) => `export const example${index} = async () => {\n${code}\n}\n`)
  writeFileSync(join(folder, "examples.ts"), `${declared}${functions.join("")}`)
  return { folder, client: join(modules, "@care", "client") }
})

testsOn(Suite.layer, "the package of the client", (it) => {
  it("has its files, no dependency and no module of Node.js, and is small", function* () {
    const { client } = yield* installed
    const { stdout } = yield* Effect.promise(() => run("npm", ["pack", "--dry-run", "--json"], { cwd: client }))
    const packed: ReadonlyArray<{ readonly files: ReadonlyArray<{ readonly path: string }> }> = JSON.parse(stdout)
    const files = packed.flatMap((each) => each.files.map(({ path }) => path))
    assert.includeMembers(files, [
      "README.md",
      "CHANGELOG.md",
      "index.js",
      "package.json",
      "types/index.d.ts",
      "types/generated.d.ts",
      "examples/creation.spec.ts"
    ])
    assert.isTrue(
      files.every((path) =>
        /^((README|CHANGELOG)\.md|index\.js|package\.json|types\/[\w/]+\.d\.ts|examples\/[\w.]+\.ts)$/.test(path)
      )
    )
    const manifest = JSON.parse(readFileSync(join(client, "package.json"), "utf8"))
    assert.hasAllKeys(manifest, [
      "name",
      "version",
      "type",
      "description",
      "license",
      "sideEffects",
      "engines",
      "keywords",
      "files",
      "main",
      "types",
      "exports"
    ])
    const code = readFileSync(join(client, "index.js"), "utf8")
    assert.notMatch(code, /\bimport\b|\brequire\(|\bprocess\b|\bBuffer\b/)
    for (const platform of ["browser", "neutral"] as const) {
      const file = join(client, "..", `${platform}.js`)
      yield* Effect.promise(() => bundleClient(join(client, "index.js"), file, platform, true))
      assert.isBelow(gzipSync(readFileSync(file)).length, largestBytes)
    }
  })

  it("has types that need nothing else, and the README and all examples fit them", function* () {
    const { folder } = yield* installed
    writeFileSync(join(folder, "alone.ts"), `${declared}export type Client = typeof care\n`)
    yield* tsc(
      folder,
      "--types",
      "",
      "--lib",
      "ES2023,DOM,DOM.Iterable",
      "--exactOptionalPropertyTypes",
      "alone.ts",
      "examples.ts"
    )
    yield* tsc(folder, "--types", "node", "--skipLibCheck", ...blocks.map(({ name }) => name))
  })

  it("runs where there is nothing but what browsers and the edge have", function* () {
    const { urls } = yield* Suite
    const clinic = yield* makeClinic
    const { client } = yield* installed
    const code = readFileSync(join(client, "index.js"), "utf8").replace(/export \{ (.*) \};\s*$/, "({ $1 })")
    const web = { AbortController, Headers, TextDecoder, TextEncoder, URL, URLSearchParams }
    const { Care: CareThere, verifyWebhook }: typeof import("@care/client") = runInNewContext(code, {
      ...{ ...web, atob, clearTimeout, crypto, fetch, setTimeout }
    })
    const { data } = yield* Effect.promise(() =>
      new CareThere({ apiKey: clinic.key, baseUrl: urls.gateway }).bundles.list()
    )
    assert.deepStrictEqual(data, [])
    const [secret, now, body] = [`whsec_${btoa("a secret")}`, new Date(), '{"type":"case.created","data":{}}']
    const headers = {
      "webhook-id": "1",
      "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign("1", now, body)
    }
    const raw = new TextEncoder().encode(body)
    assert.strictEqual((yield* Effect.promise(() => verifyWebhook(raw.buffer, headers, secret))).id, "1")
  })

  it("the code of the README runs", function* () {
    const { urls } = yield* Suite
    const clinic = yield* makeClinic
    const { folder } = yield* installed
    const env = {
      PATH: process.env["PATH"],
      CARE_API_KEY: clinic.key,
      CARE_URL: urls.gateway,
      CARE_PRODUCT: clinic.productId
    }
    for (const { name } of blocks.filter(({ code }) => code.includes("new Care("))) {
      yield* Effect.promise(() => run(process.execPath, [name], { cwd: folder, env }))
    }
  })

  it("the receivers of the README accept what the suite sends, and refuse the rest", function* () {
    const { urls } = yield* Suite
    const clinic = yield* makeClinic
    const { folder } = yield* installed
    const care = new Care({ apiKey: clinic.key, baseUrl: urls.gateway })
    const port = yield* findFreeBase([0])
    const receiver = yield* receiveEvents
    const url = `http://127.0.0.1:${port}/webhooks`
    const created = yield* Effect.promise(() => care.webhookEndpoints.create({ url, eventTypes: ["ping"] }))
    const other = yield* Effect.promise(() => care.webhookEndpoints.create({ url: receiver.url, eventTypes: ["ping"] }))

    let output = ""
    const env = { PATH: process.env["PATH"], PORT: String(port), CARE_WEBHOOK_SECRET: created.data.secret }
    const app = spawn(process.execPath, ["express.ts"], { cwd: folder, env })
    yield* Effect.addFinalizer(() => Effect.sync(() => app.kill()))
    for (const stream of [app.stdout, app.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()))
    const forge = () => fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" })
    yield* until(
      Effect.promise(() =>
        forge().then(
          ({ status }) => status,
          () => 0
        )
      ),
      (status) => status === 400
    )
    yield* Effect.promise(() => care.webhookEndpoints.test(created.data.id))
    yield* until(
      Effect.sync(() => output),
      (text) => text.includes(`test of ${created.data.id}`)
    )
    yield* until(
      Effect.promise(() => care.webhookEndpoints.deliveries(created.data.id).page()),
      ({ data }) => data.every(({ status }) => status === "DELIVERED") && data.length === 1
    )

    // A route of Next.js is a function of a request.
    yield* Effect.promise(() => care.webhookEndpoints.test(other.data.id))
    yield* receiver.arrived(1)
    writeFileSync(
      join(folder, "call.ts"),
      `import { POST } from "./route.ts"
const { body, headers } = JSON.parse(process.env["DELIVERY"] ?? "")
const answers = [body, body + " "].map((each) => POST(new Request("http://localhost", { method: "POST", headers, body: each })))
console.log((await Promise.all(answers)).map(({ status }) => status).join())
`
    )
    const { stdout } = yield* Effect.promise(() =>
      run(process.execPath, ["call.ts"], {
        cwd: folder,
        env: {
          PATH: process.env["PATH"],
          CARE_WEBHOOK_SECRET: other.data.secret,
          DELIVERY: JSON.stringify(receiver.received[0])
        }
      })
    )
    assert.strictEqual(stdout, `test of ${other.data.id}\n204,400\n`)
  })

  it("has tests that pass in a sandbox, when a partner has copied them", function* () {
    const { urls } = yield* Suite
    const sandbox = yield* makeSandbox(yield* makeClinic)
    const { client, folder } = yield* installed
    cpSync(join(client, "examples"), join(folder, "tests"), { recursive: true })
    const env = { PATH: process.env["PATH"], NO_COLOR: "1", CARE_API_KEY: sandbox.key, CARE_URL: urls.gateway }
    const vitest = join(folder, "node_modules/vitest/vitest.mjs")
    const { stdout } = yield* Effect.promise(() =>
      // A busy machine needs more than the five seconds that Vitest gives a test by itself.
      run(process.execPath, [vitest, "run", "--dir", "tests", "--testTimeout", "50000"], { cwd: folder, env }).catch(
        (error: { readonly stdout: string }) => assert.fail(error.stdout)
      )
    )
    assert.match(stdout, /Test Files {2}4 passed/)
    assert.notMatch(stdout, /skipped|failed/)
  })
})
