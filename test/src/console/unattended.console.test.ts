import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { sharedConsole } from "../harness/console/Browser.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { press, titled } from "../harness/console/screenSteps.ts"
import { fetchIn, signedIn } from "../harness/console/signedIn.ts"
import { inDatabase } from "../harness/database.ts"
import { caseBody, createCase, makeClinic, newPatient } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

const lastName = "Nachtigall"
const sessionUrl = "**/admin/v1/session"

// Chromium without a screen hides no tab.
const turnTab = (page: Page, state: "hidden" | "visible") =>
  page.evaluate(`
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "${state}" })
    document.dispatchEvent(new Event("visibilitychange"))
  `)

const patient = (page: Page) => page.getByText(lastName).first()

const endsAtSignIn = async (page: Page, path: string) => {
  await titled(page, "Sign in")
  assert.strictEqual(new URL(page.url()).searchParams.get("next"), path)
  assert.notInclude(await page.locator("html").textContent(), lastName)
}

testsOn(sharedConsole, "a page of the console that nobody uses", (it) => {
  // Opens a case in a window whose clock the test moves.
  const open = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const user = { ...newPatient(), lastName }
    const caseId: string = (yield* createCase(clinic, caseBody(clinic, { user, isTest: true }))).json.data.caseId
    const path = `/cases/${caseId}`
    const window = yield* signedIn(clinic, "SUPPORT", { path })
    yield* onPage(window, async (page) => {
      await page.clock.install()
      await page.reload()
      await seen(page, lastName)
    })
    return { clinic, path, window }
  })

  it("asks each minute for its session, which is no use of it, and leads to the sign-in when it was ended", function* () {
    const { clinic, path, window } = yield* open
    const administrator = yield* signedIn(clinic, "ADMIN")
    const isUsed = Effect.map(
      inDatabase(
        "auth",
        (sql) => sql`
          SELECT id FROM auth.staff_sessions
          WHERE user_id = ${window.userId} AND ended_at IS NULL AND last_used_at > now() - interval '1 minute'
        `
      ),
      ({ length }) => length === 1
    )
    yield* inDatabase(
      "auth",
      (sql) => sql`
        UPDATE auth.staff_sessions SET last_used_at = now() - interval '2 minutes' WHERE user_id = ${window.userId}
      `
    )
    const nextCheck = (page: Page) =>
      Promise.all([page.waitForResponse(sessionUrl), page.clock.fastForward(11 * 60_000)])
    yield* onPage(window, async (page) => {
      // No other request tells the server what the person does.
      await page.route(/\/admin\/v1\/(?!session$)/, () => new Promise(() => {}))
      const [response] = await nextCheck(page)
      assert.deepInclude(response.request().headers(), { "care-unattended": "true" })
      assert.strictEqual(response.status(), 200)
    })
    assert.isFalse(yield* isUsed)
    yield* onPage(window, async (page) => {
      await page.mouse.move(50, 50)
      await patient(page).waitFor()
      await nextCheck(page)
    })
    assert.isTrue(yield* isUsed)
    const { json: sessions } = yield* fetchIn(administrator, "GET", `/sessions?userId=${window.userId}`)
    for (const { id } of sessions.data) yield* fetchIn(administrator, "DELETE", `/sessions/${id}`)
    yield* onPage(window, async (page) => {
      await nextCheck(page)
      await endsAtSignIn(page, path)
    })
  })

  it("leads to the sign-in at the end of the idle time though the server does not answer", function* () {
    const { path, window } = yield* open
    yield* onPage(window, async (page) => {
      await page.route("**/admin/v1/**", (route) => route.abort())
      await page.clock.fastForward(29 * 60_000)
      assert.isTrue(await patient(page).isVisible())
      await page.clock.fastForward(2 * 60_000)
      await endsAtSignIn(page, path)
    })
  })

  it("is hidden when the person comes back, until the session has proved to go on, and keeps their place", function* () {
    const { window } = yield* open
    yield* onPage(window, async (page) => {
      await press(page, "Comment")
      const note = page.getByRole("textbox", { name: "Internal note" })
      await note.fill("She called")
      await turnTab(page, "hidden")
      await patient(page).waitFor({ state: "hidden" })
      await page.route(sessionUrl, (route) => route.abort())
      await page.clock.fastForward(20_000)
      await turnTab(page, "visible")
      await page.getByRole("alert").getByText("the server does not answer").waitFor()
      assert.isFalse(await patient(page).isVisible())
      await page.unroute(sessionUrl)
      await press(page, "Try again")
      await patient(page).waitFor()
      await page.keyboard.type(" back")
      assert.strictEqual(await note.inputValue(), "She called back")
    })
  })

  it("is shown again while a window of it is open", function* () {
    const { window } = yield* open
    yield* onPage(window, async (page) => {
      await page.keyboard.press("?")
      const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" })
      await keys.waitFor()
      await turnTab(page, "hidden")
      await keys.waitFor({ state: "hidden" })
      await page.route(sessionUrl, (route) => route.abort())
      await page.clock.fastForward(20_000)
      await turnTab(page, "visible")
      await page.getByRole("alertdialog").getByText("the server does not answer").waitFor()
      await page.unroute(sessionUrl)
      await page.getByRole("button", { name: "Try again" }).press("Enter")
      await keys.waitFor()
      await page.keyboard.press("Escape")
      await patient(page).waitFor()
    })
  })

  it("shows nothing to who comes back after the session has ended", function* () {
    const { path, window } = yield* open
    yield* onPage(window, async (page) => {
      await turnTab(page, "hidden")
      await page.clock.fastForward(20_000)
    })
    yield* inDatabase(
      "auth",
      (sql) => sql`
        UPDATE auth.staff_sessions SET last_used_at = now() - interval '31 minutes' WHERE user_id = ${window.userId}
      `
    )
    yield* onPage(window, async (page) => {
      await turnTab(page, "visible")
      await endsAtSignIn(page, path)
    })
  })
})
