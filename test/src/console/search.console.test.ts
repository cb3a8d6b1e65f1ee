import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import { sharedConsole } from "../harness/console/Browser.ts"
import { focused } from "../harness/console/keyboard.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { signedIn, signedInOperator } from "../harness/console/signedIn.ts"
import { waitingCase } from "../harness/console/waitingCase.ts"
import { caseBody, createCase, makeClinic, newPatient } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

const field = (page: Page) => page.getByRole("searchbox", { name: "Search cases" })
const dialog = (page: Page) => page.getByRole("dialog")

testsOn(sharedConsole, "the search of the console", (it) => {
  it("finds a case by the beginning of a name from any screen, by the keyboard alone, and puts nothing into the URL", function* () {
    const clinic = yield* makeClinic
    const user = { ...newPatient(), firstName: "Rosalind", lastName: "Ferreira" }
    const { json } = yield* createCase(clinic, caseBody(clinic, { user }))
    const window = yield* signedIn(clinic, "SUPPORT", { path: "/account" })
    yield* onPage(window, async (page) => {
      await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor()
      const before = page.url()
      await page.keyboard.press("/")
      await focused(field(page))
      await page.keyboard.type("rosal?/")
      await seen(page, "Nothing found")
      assert.strictEqual(await dialog(page).count(), 1)
      await page.keyboard.press("Backspace")
      await page.keyboard.press("Backspace")
      await page.getByRole("option", { name: /Rosalind Ferreira/ }).waitFor()
      assert.strictEqual(page.url(), before)
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("Enter")
      await page.waitForURL(`**/console/cases/${json.data.caseId}`)
    })
  })

  it("leads an administrator, who reads no cases, to the payments of the case", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* waitingCase(clinic)
    const window = yield* signedIn(clinic, "ADMIN", { path: "/search" })
    yield* onPage(window, async (page) => {
      const refused: Array<string> = []
      page.on("response", (response) => {
        if (response.status() >= 400) refused.push(response.url())
      })
      await field(page).fill("lopez")
      await page.getByRole("option", { name: /Maria Lopez/ }).click()
      await page.waitForURL(`**/console/payments?caseId=${caseId}`)
      await seen(page, "No payments")
      await page.goto(`/console/cases/${caseId}`)
      await page.getByRole("link", { name: "its payments" }).waitFor()
      await page.getByRole("link", { name: "who read and changed it" }).click()
      await page.waitForURL(`**/console/audit?caseId=${caseId}`)
      await page.getByRole("heading", { level: 1, name: "Audit" }).waitFor()
      assert.deepStrictEqual(refused, [])
    })
  })

  it("closes by Escape, and gives the focus back", function* () {
    const window = yield* signedIn(yield* makeClinic, "SUPPORT", { path: "/account" })
    yield* onPage(window, async (page) => {
      await page.getByRole("button", { name: "Search" }).click()
      await focused(field(page))
      await page.keyboard.press("Escape")
      await dialog(page).waitFor({ state: "detached" })
      await page.locator("button:focus", { hasText: "Search" }).waitFor()
      await page.keyboard.press("Control+k")
      await field(page).waitFor()
    })
  })

  it("asks an operator which organization they look at", function* () {
    const clinic = yield* makeClinic
    const window = yield* signedInOperator("/search")
    yield* onPage(window, async (page) => {
      await page.getByRole("searchbox", { name: "Organization" }).fill(clinic.organizationId)
      await page.getByRole("option", { name: "Test clinic" }).waitFor()
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("Enter")
      await field(page).waitFor()
      await page.getByRole("button", { name: /You look at/ }).click()
      await page.getByRole("button", { name: "All organizations", exact: true }).click()
      await page.getByRole("searchbox", { name: "Organization" }).waitFor()
    })
  })
})

testsOn(sharedConsole, "the keys of the console", (it) => {
  it("are listed by ?, and do nothing once they are turned off", function* () {
    const window = yield* signedIn(yield* makeClinic, "SUPPORT", { path: "/account" })
    yield* onPage(window, async (page) => {
      await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor()
      await page.keyboard.press("?")
      await dialog(page).getByText("Show the keys of this screen").waitFor()
      await page.getByRole("checkbox", { name: "Single keys work in this browser" }).uncheck({ force: true })
      await page.keyboard.press("Escape")
      await dialog(page).waitFor({ state: "detached" })
      await page.keyboard.press("?")
      await page.keyboard.press("/")
      assert.strictEqual(await dialog(page).count(), 0)
      await page.keyboard.press("Control+k")
      await field(page).waitFor()
    })
  })

  it("close the menu of a narrow window", function* () {
    const window = yield* signedIn(yield* makeClinic, "SUPPORT", { path: "/account", width: 375 })
    yield* onPage(window, async (page) => {
      const menu = page.getByRole("button", { name: "Menu" })
      await menu.click()
      await page.getByRole("link", { name: "Queue" }).waitFor()
      await page.keyboard.press("Escape")
      await page.getByRole("link", { name: "Queue" }).waitFor({ state: "hidden" })
      await focused(menu)
    })
  })
})
