import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import { sharedConsole } from "../harness/console/Browser.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { fetchIn, signedIn } from "../harness/console/signedIn.ts"
import { caseBody, createCase, makeClinic, newPatient } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"
import { until } from "../harness/until.ts"

const lastName = "Nachtigall"

testsOn(sharedConsole, "after signing out of the console", (it) => {
  it("neither going back nor an opened or restored tab shows what was seen before", function* () {
    const clinic = yield* makeClinic
    const user = { ...newPatient(), lastName }
    const caseId: string = (yield* createCase(clinic, caseBody(clinic, { user, isTest: true }))).json.data.caseId
    const path = `/console/cases/${caseId}`
    const window = yield* signedIn(clinic, "SUPPORT", { path: `/cases/${caseId}` })
    const cookies = yield* onPage(window, () => window.context.cookies())
    const isSignIn = async (page: Page) => {
      await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor()
      assert.notInclude(await page.locator("html").textContent(), lastName)
    }
    yield* onPage(window, async (page) => {
      await seen(page, lastName)
      const tab = await window.context.newPage()
      await tab.goto(path)
      await seen(tab, lastName)
      await page.getByRole("link", { name: "Your account" }).click()
      await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor()
      await page.getByRole("button", { name: "Sign out" }).click()
      await isSignIn(page)
      await isSignIn(tab)
      for (const step of [() => page.goBack(), () => page.goBack(), () => page.goForward(), () => page.goto(path)]) {
        await step()
        await isSignIn(page)
      }
      const reopened = await window.context.newPage()
      await reopened.goto(path)
      await isSignIn(reopened)
      assert.isEmpty((await window.context.cookies()).filter(({ name }) => name === "care_staff"))
      // Somebody who kept the cookie has nothing of it.
      await window.context.addCookies(cookies)
    })
    for (const read of [`/cases/${caseId}`, "/session"]) {
      // The gateway may take auth's answer for 3 seconds.
      const { status } = yield* until(fetchIn(window, "GET", read), (answer) => answer.status !== 200)
      assert.strictEqual(status, 401)
    }
  })

  it("a page that the browser had kept is hidden when it is left, and loads again when it comes back", function* () {
    const window = yield* signedIn(yield* makeClinic, "SUPPORT", { path: "/account" })
    yield* onPage(window, async (page) => {
      await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor()
      await page.evaluate(`dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }))`)
      await page.getByRole("heading", { level: 1 }).waitFor({ state: "hidden" })
      const loaded = page.waitForEvent("load")
      await page.evaluate(`dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`)
      await loaded
      await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor()
    })
  })
})
