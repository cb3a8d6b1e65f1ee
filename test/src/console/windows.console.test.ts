import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import { sharedConsole } from "../harness/console/Browser.ts"
import { focused } from "../harness/console/keyboard.ts"
import { onPage } from "../harness/console/onPage.ts"
import { press } from "../harness/console/screenSteps.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(sharedConsole, "a window before a screen", (it) => {
  const products = (organizationId: string) => `/organizations/${organizationId}/products`
  const dialog = (page: Page) => page.getByRole("dialog", { name: "Add a product" })
  const question = (page: Page) => page.getByRole("alertdialog", { name: "Discard what you typed?" })
  const name = (page: Page) => dialog(page).getByLabel("Name")
  const beside = (page: Page) => page.mouse.click(3, 3)

  it("closes by Escape and by a click beside it while nothing was typed, or all was taken back", function* () {
    const clinic = yield* makeClinic
    const window = yield* signedIn(clinic, "ADMIN", { path: products(clinic.organizationId) })
    yield* onPage(window, async (page) => {
      for (const close of [() => page.keyboard.press("Escape"), () => beside(page)]) {
        await press(page, "Add a product")
        await name(page).fill("Semaglutide")
        await name(page).fill("")
        await close()
        await dialog(page).waitFor({ state: "detached" })
      }
    })
  })

  it("asks before what was typed is discarded, and keeps it", function* () {
    const clinic = yield* makeClinic
    const window = yield* signedIn(clinic, "ADMIN", { path: products(clinic.organizationId) })
    yield* onPage(window, async (page) => {
      await press(page, "Add a product")
      await name(page).fill("Semaglutide")
      await beside(page)
      await question(page).waitFor()
      await page.keyboard.press("Enter")
      await question(page).waitFor({ state: "detached" })
      await page.keyboard.press("Escape")
      await question(page).waitFor()
      await page.keyboard.press("Escape")
      await question(page).waitFor({ state: "detached" })
      assert.strictEqual(await name(page).inputValue(), "Semaglutide")
      await focused(name(page))

      await page.keyboard.press("Escape")
      await press(page, "Discard")
      await dialog(page).waitFor({ state: "detached" })
      await press(page, "Add a product")
      assert.strictEqual(await name(page).inputValue(), "")
    })
  })
})
