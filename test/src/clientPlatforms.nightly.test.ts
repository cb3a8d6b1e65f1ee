import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { buildClient, bundleClient } from "@care/build"
import { serveListener, temporaryFolder } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { chromium } from "playwright-core"
import { Webhook } from "standardwebhooks"
import { chromiumPath } from "../chromium.ts"
import type { TourInput } from "../platforms/tour.ts"
import { makeClinic, newPatient } from "./harness/fixtures.ts"
import { platformProgram, platforms, runIn } from "./harness/platforms.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const main = `import { tour } from "./tour.ts"
console.log(JSON.stringify(await tour(JSON.parse(process.env["TOUR"] ?? ""))))
`

const worker = `import { tour } from "./tour.ts"
export default { fetch: async (request: Request) => Response.json(await tour(await request.json())) }
`

// It asks nobody on the network what a request looks like.
const miniflare = `import { createRequire } from "node:module"
const { Miniflare } = createRequire(${JSON.stringify(`${platforms}/`)})("miniflare")
const run = new Miniflare({ modules: true, scriptPath: "worker.js", compatibilityDate: "2026-07-01", cf: false })
const answer = await run.dispatchFetch("http://localhost/", { method: "POST", body: process.env.TOUR })
console.log(await answer.text())
await run.dispose()
`

/** Makes a project that has installed the built package, and has the tour. */
const project = Effect.gen(function* () {
  const folder = yield* temporaryFolder()
  yield* Effect.promise(() => buildClient(join(folder, "node_modules/@care/client")))
  copyFileSync(join(platforms, "tour.ts"), join(folder, "tour.ts"))
  const manifest = { type: "module", dependencies: { "@care/client": "1.0.0" } }
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest))
  writeFileSync(join(folder, "main.ts"), main)
  return folder
})

const secret = `whsec_${btoa("a secret of an endpoint")}`

const makeInput = Effect.gen(function* () {
  const { urls } = yield* Suite
  const { key } = yield* makeClinic
  const moved = yield* serveListener((_request, response) => response.writeHead(307, { location: urls.gateway }).end())
  const [now, body] = [new Date(), JSON.stringify({ type: "case.created", data: { text: "Zoë 🙂" } })]
  const input: TourInput = {
    apiKey: key,
    baseUrl: urls.gateway,
    movedUrl: moved.url,
    patients: [newPatient(), newPatient()].map(({ email, phoneNumber }) => ({ email, phoneNumber })),
    delivery: {
      body,
      secret,
      headers: {
        "webhook-id": "1",
        "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
        "webhook-signature": new Webhook(secret).sign("1", now, body)
      }
    }
  }
  return input
})

const seen = {
  names: ["Semaglutide program"],
  hasForm: true,
  name: "Zoë",
  files: [["results.txt", "The results."]],
  areListed: true,
  refused: [400, "CASE_NOT_FOUND"],
  moved: "REDIRECTED",
  isAborted: true,
  event: "case.created",
  forged: "SIGNATURE_WRONG"
}

testsOn(Suite.shared, "the client", (it) => {
  const runs = (name: string, program: () => string, parameters: ReadonlyArray<string>) =>
    it(`does in ${name} what a partner does first`, function* () {
      const folder = yield* project
      const variables = { TOUR: JSON.stringify(yield* makeInput) }
      const output = yield* Effect.promise(() => runIn(folder, program(), parameters, variables))
      assert.deepStrictEqual(JSON.parse(output), seen)
    })

  runs("Node.js", () => process.execPath, ["main.ts"])
  runs("Bun", () => platformProgram("bun"), ["main.ts"])
  runs("Deno", () => platformProgram("deno"), [
    ...["run", "--no-prompt", "--no-remote", "--node-modules-dir=manual"],
    ...["--allow-env=TOUR", "--allow-net=127.0.0.1", "main.ts"]
  ])

  it("does in workerd, a run-time of the edge, what a partner does first", function* () {
    const folder = yield* project
    writeFileSync(join(folder, "worker.ts"), worker)
    writeFileSync(join(folder, "miniflare.mjs"), miniflare)
    yield* Effect.promise(() => bundleClient(join(folder, "worker.ts"), join(folder, "worker.js"), "neutral"))
    const variables = { TOUR: JSON.stringify(yield* makeInput) }
    platformProgram("miniflare")
    const output = yield* Effect.promise(() => runIn(folder, process.execPath, ["miniflare.mjs"], variables))
    assert.deepStrictEqual(JSON.parse(output), seen)
  })

  const executablePath = chromiumPath()
  if (executablePath === undefined) {
    it("leaves out Chromium, because it is not installed (Debian: chromium)", function* () {
      yield* Effect.sync(() => process.stdout.write("The client was not run in Chromium: install it (Debian).\n"))
    })
  } else {
    it("does in Chromium what a partner does first", function* () {
      const { urls } = yield* Suite
      const folder = yield* project
      yield* Effect.promise(() => bundleClient(join(folder, "tour.ts"), join(folder, "tour.js"), "browser"))
      const input = { ...(yield* makeInput), movedUrl: `${urls.gateway}/moved` }
      const browser = yield* Effect.acquireRelease(
        Effect.promise(() => chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] })),
        (launched) => Effect.promise(() => launched.close())
      )
      const found = yield* Effect.promise(async () => {
        const page = await browser.newPage()
        const code = readFileSync(join(folder, "tour.js"), "utf8")
        await page.route(`${urls.gateway}/tour.js`, (route) =>
          route.fulfill({ contentType: "text/javascript", body: code })
        )
        await page.route(`${urls.gateway}/page`, (route) => route.fulfill({ contentType: "text/html", body: "" }))
        await page.route(`${urls.gateway}/moved/**`, (route) =>
          route.fulfill({ status: 307, headers: { location: "/page" } })
        )
        await page.goto(`${urls.gateway}/page`)
        return page.evaluate(async (given) => {
          const { tour }: typeof import("../platforms/tour.ts") = await import(`${given.baseUrl}/tour.js`)
          return tour(given)
        }, input)
      })
      assert.deepStrictEqual<object>(found, seen)
    })
  }
})
