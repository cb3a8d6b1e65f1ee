import { serveListener } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { type ConsoleWindow, consoleThatKeepsPages } from "../harness/console/Browser.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { press, titled } from "../harness/console/screenSteps.ts"
import { fetchIn, signedIn } from "../harness/console/signedIn.ts"
import { waitingCase } from "../harness/console/waitingCase.ts"
import { makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

// Runs in each page: writes down whether the browser had kept it, and whether it is hidden then.
const writeDown = `addEventListener("pageshow", ({ persisted }) => {
  const before = sessionStorage.getItem("shown") ?? ""
  sessionStorage.setItem("shown", before + (persisted ? "kept" : "loaded") + (document.body.hidden ? " hidden;" : ";"))
})`

testsOn(consoleThatKeepsPages, "pages that the browser keeps when they are left", (it) => {
  const runOtherSite = serveListener((_, response) => {
    response
      .setHeader("content-type", "text/html")
      .end("<!doctype html><title>Another site</title><h1>Another site</h1>")
  })

  // A page is told that it is shown a moment after it is there.
  const shown = async (page: Page, times: number) => {
    let written = ""
    while (written.split(";").length <= times) written = String(await page.evaluate(`sessionStorage.getItem("shown")`))
    return written
  }
  // Playwright waits for a new page, which does not come.
  const goBack = (page: Page) => page.evaluate("void setTimeout(() => history.back())")

  it("are kept here, if they are harmless", function* () {
    const { url } = yield* runOtherSite
    const window = yield* signedIn(yield* makeClinic, "SUPPORT")
    yield* onPage(window, async () => {
      const page = await window.context.newPage()
      await page.addInitScript(writeDown)
      await page.goto(url)
      await page.goto(url.replace("127.0.0.1", "localhost"))
      await goBack(page)
      await page.waitForURL(`${url}/`, { waitUntil: "commit" })
      assert.strictEqual(await shown(page, 2), "loaded;kept;")
    })
  })

  const leaveCase = Effect.gen(function* () {
    const { url } = yield* runOtherSite
    const clinic = yield* makeClinic
    const caseId = yield* waitingCase(clinic, "Nachtigall")
    const window = yield* signedIn(clinic, "SUPPORT", { path: "/account" })
    yield* onPage(window, async (page) => {
      await page.addInitScript(writeDown)
      await page.goto(`/console/cases/${caseId}`)
      await seen(page, "Nachtigall")
      await page.goto(url)
    })
    const tab = yield* onPage(window, async () => {
      const opened = await window.context.newPage()
      await opened.goto("/console/account")
      await titled(opened, "Your account")
      return opened
    })
    return { ...window, tab }
  })

  const isNotReadable = (window: ConsoleWindow) =>
    onPage(window, async (page) => {
      await goBack(page)
      await titled(page, "Sign in")
      assert.notInclude(await page.locator("html").textContent(), "Nachtigall")
    })

  it("show nothing of a case when the person has signed out in another tab", function* () {
    const window = yield* leaveCase
    yield* onPage(window, async () => {
      await press(window.tab, "Sign out")
      await titled(window.tab, "Sign in")
    })
    yield* isNotReadable(window)
  })

  it("are hidden from the first moment, and load again, when the session ended elsewhere", function* () {
    const window = yield* leaveCase
    yield* fetchIn({ ...window, page: window.tab }, "DELETE", "/session")
    yield* isNotReadable(window)
    assert.strictEqual(yield* onPage(window, (page) => shown(page, 3)), "loaded;kept hidden;loaded;")
  })
})
