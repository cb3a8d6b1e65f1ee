import { serveListener } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { admin } from "../harness/call.ts"
import { type ConsoleWindow, sharedConsole } from "../harness/console/Browser.ts"
import { onPage } from "../harness/console/onPage.ts"
import { fetchIn, signedIn } from "../harness/console/signedIn.ts"
import { inDatabase } from "../harness/database.ts"
import { caseBody, createCase, makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

// Runs in the page of the attacker. Tells how each request ended.
const attack = async ([origin, requests]: readonly [
  origin: string,
  requests: ReadonlyArray<readonly [method: string, path: string, body: string]>
]) => {
  const outcomes: Array<string> = []
  for (const [method, path, body] of requests) {
    for (const type of ["application/json", "text/plain"]) {
      for (const mode of ["cors", "no-cors"] as const) {
        const outcome = await fetch(`${origin}/admin/v1${path}`, {
          method,
          mode,
          credentials: "include",
          headers: { "content-type": type },
          ...(method !== "GET" && { body })
        }).then(
          (response) => `${response.type} ${response.status}`,
          () => "refused by the browser"
        )
        outcomes.push(outcome)
      }
    }
  }
  return outcomes
}

/** Opens a page of another origin: another site, and another port of the same site, to which the browser sends the cookies. */
const visit = Effect.fnUntraced(function* ({ context }: ConsoleWindow, html: string) {
  const { port } = yield* serveListener((_request, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><title>Prizes</title>${html}`)
  )
  const open = (host: string) =>
    Effect.promise(async () => {
      const page = await context.newPage()
      await page.goto(`http://${host}:${port}/`)
      return page
    })
  return [yield* open("127.0.0.1"), yield* open("localhost")]
})

testsOn(sharedConsole, "other sites and the console", (it) => {
  const providerWithCase = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic, { isTest: true }))).json.data.caseId
    const window = yield* signedIn(clinic, "PROVIDER", { path: "/account" })
    return { caseId, window }
  })
  const stateOf = (caseId: string, window: ConsoleWindow & { readonly userId: string }) =>
    Effect.all([
      Effect.map(admin("GET", `/cases/${caseId}/timeline`), ({ json }) => json.data),
      Effect.map(admin("GET", `/cases/${caseId}`), ({ json }) => json.assignedTo),
      inDatabase(
        "auth",
        (sql) => sql`SELECT id FROM auth.staff_sessions WHERE user_id = ${window.userId} AND ended_at IS NULL`
      )
    ])

  it("their requests with the person's cookie read and change nothing", function* () {
    const { caseId, window } = yield* providerWithCase
    const comment = JSON.stringify({ text: "A prize", isRestricted: false })
    const writes = [
      ["POST", `/cases/${caseId}/assign`, JSON.stringify({ providerId: window.userId })],
      ["POST", `/cases/${caseId}/comments`, comment],
      ["DELETE", "/sessions", ""],
      ["DELETE", "/session", ""],
      ["GET", "/session", ""]
    ] as const
    const before = yield* stateOf(caseId, window)
    for (const page of yield* visit(window, "")) {
      const outcomes = yield* Effect.promise(() => page.evaluate(attack, [window.origin, writes] as const))
      assert.lengthOf(outcomes, 20)
      assert.isEmpty(outcomes.filter((outcome) => outcome !== "refused by the browser" && outcome !== "opaque 0"))
    }
    assert.deepStrictEqual(yield* stateOf(caseId, window), before)
    assert.strictEqual((yield* fetchIn(window, "GET", "/session")).status, 200)
    // From the console itself the request is done.
    assert.strictEqual((yield* fetchIn(window, writes[0][0], writes[0][1], JSON.parse(writes[0][2]))).status, 200)
  })

  it("their forms change nothing", function* () {
    const { caseId, window } = yield* providerWithCase
    const before = yield* stateOf(caseId, window)
    const action = `${window.origin}/admin/v1/cases/${caseId}/comments`
    const name = JSON.stringify({ text: "A prize", isRestricted: false, x: "" }).replaceAll('"', "&quot;")
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      const form = `<form method="post" action="${action}" enctype="${type}"><input name="${name}" value="1"><button>Take it</button></form>`
      for (const page of yield* visit(window, form)) {
        const status = yield* Effect.promise(async () => {
          const answered = page.waitForResponse(action)
          await page.getByRole("button").click()
          return (await answered).status()
        })
        assert.include([400, 401, 403, 415], status, type)
      }
    }
    assert.deepStrictEqual(yield* stateOf(caseId, window), before)
  })

  it("the console is not shown in their frames, and tells a window that opened it nothing", function* () {
    const { window } = yield* providerWithCase
    const html = `<iframe src="${window.origin}/console/account"></iframe><a href="${window.origin}/console/account" target="opened">Open</a>`
    const frameOf = (page: Page) => page.frames().find((frame) => frame !== page.mainFrame())
    for (const page of yield* visit(window, html)) {
      yield* Effect.promise(async () => {
        await page.waitForLoadState("networkidle")
        const frame = frameOf(page)
        assert.notInclude(await frame?.evaluate("document.body?.textContent ?? ''"), "Your account")
        assert.strictEqual(await frame?.getByRole("heading", { name: "Your account" }).count(), 0)
        const opening = window.context.waitForEvent("page")
        await page.evaluate(`globalThis.opened = open("${window.origin}/console/account")`)
        const opened = await opening
        await opened.getByRole("heading", { level: 1 }).waitFor()
        assert.isNull(await opened.evaluate("opener"))
        assert.isTrue(await page.evaluate("globalThis.opened.closed"))
        await opened.close()
      })
    }
  })

  it("the page forbids frames and other scripts, and every answer guesses of its type and use by other sites", function* () {
    const { window } = yield* providerWithCase
    yield* onPage(window, async (page) => {
      const answers = new Map<string, Readonly<Record<string, string>>>()
      page.on("response", (response) => answers.set(new URL(response.url()).pathname, response.headers()))
      await page.goto("/console/queue")
      await page.getByRole("heading", { level: 1 }).waitFor()
      assert.isAbove(answers.size, 5)
      for (const [path, headers] of answers) {
        assert.strictEqual(headers["x-content-type-options"], "nosniff", path)
        if (path.startsWith("/admin/")) assert.strictEqual(headers["cache-control"], "no-store", path)
        else assert.strictEqual(headers["cross-origin-resource-policy"], "same-origin", path)
      }
      const policy = answers.get("/console/queue")?.["content-security-policy"] ?? ""
      assert.match(policy, /script-src 'self';.*frame-ancestors 'none'/)
      assert.strictEqual(answers.get("/console/queue")?.["cross-origin-opener-policy"], "same-origin")
      assert.strictEqual(answers.get("/console/queue")?.["referrer-policy"], "no-referrer")
    })
  })
})
