import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { Browser, sharedConsole } from "../harness/console/Browser.ts"
import { focused } from "../harness/console/keyboard.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { fetchIn, signedIn } from "../harness/console/signedIn.ts"
import { addStaff, makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

const titled = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor()
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()
const pathOf = (page: Page) => page.url().slice(new URL(page.url()).origin.length)

const makeMember = Effect.gen(function* () {
  const clinic = yield* makeClinic
  const email = `first.${clinic.organizationId}@clinic.example.com`
  return { email, userId: yield* addStaff(clinic, { email, role: "SUPPORT" }) }
})

const useCode = async (page: Page, email: string) => {
  await page.getByLabel("Email").fill(email)
  await page.keyboard.press("Enter")
  await titled(page, "Enter the code")
  await press(page, "Use this code")
  await press(page, "Continue")
}

/** Enrols the first passkey, and returns the recovery codes. */
const enrol = async (page: Page) => {
  await titled(page, "Make a passkey")
  await page.getByLabel("Name of the passkey").fill("Laptop")
  await press(page, "Make a passkey")
  await titled(page, "Keep your recovery codes")
  const codes = await page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").allTextContents()
  await page.getByRole("checkbox", { name: "I have kept them" }).check({ force: true })
  await press(page, "Continue")
  return codes
}

testsOn(sharedConsole, "the sign-in of the console", (it) => {
  it("enrols a passkey at the first sign-in, which alone is enough later", function* () {
    const { email } = yield* makeMember
    const window = yield* (yield* Browser).open()
    yield* onPage(window, async (page) => {
      await page.goto("/console/device?code=BCDF-GHJK")
      await titled(page, "Sign in")
      await useCode(page, email)
      assert.lengthOf(await enrol(page), 10)
      await titled(page, "Approve a device")
      assert.strictEqual(pathOf(page), "/console/device?code=BCDF-GHJK")
      await press(page, "Sign out")
      await titled(page, "Sign in")
      assert.strictEqual(pathOf(page), "/console/sign-in")
      await press(page, "Sign in with a passkey")
      await titled(page, "Start")
    })
  })

  it("says that a code is wrong, and takes a pasted one with a space", function* () {
    const { email } = yield* makeMember
    const window = yield* (yield* Browser).open()
    yield* onPage(window, async (page) => {
      await page.goto("/console/sign-in")
      await page.getByLabel("Email").fill(email)
      await page.keyboard.press("Enter")
      const field = page.getByRole("textbox", { name: "Code" })
      await field.fill("000000")
      await page.keyboard.press("Enter")
      await page.getByRole("alert").getByText("Code refused").waitFor()
      await focused(field)
      await field.fill("12 34 56 7")
      assert.strictEqual(await field.inputValue(), "123456")
    })
  })

  it("goes on where it was, and takes a recovery code in the place of the passkey once", function* () {
    const { email } = yield* makeMember
    const window = yield* (yield* Browser).open()
    const [code = ""] = yield* onPage(window, async (page) => {
      await page.goto("/console/sign-in")
      await useCode(page, email)
      await titled(page, "Make a passkey")
      await page.reload()
      return enrol(page)
    })
    const elsewhere = yield* (yield* Browser).open()
    yield* onPage(elsewhere, async (page) => {
      await page.goto("/console/sign-in")
      await useCode(page, email)
      await titled(page, "Use your passkey")
      await page.goto("/console/queue")
      await titled(page, "Use your passkey")
      await press(page, "Use a recovery code")
      await page.getByRole("textbox", { name: "Recovery code" }).fill(code)
      await press(page, "Continue")
      await titled(page, "Queue")
      await press(page, "Sign out")
      await useCode(page, email)
      await press(page, "Use a recovery code")
      await page.getByRole("textbox", { name: "Recovery code" }).fill(code)
      await press(page, "Continue")
      await page.getByRole("alert").getByText("Recovery code refused").waitFor()
    })
  })

  it("leads nowhere but into the console", function* () {
    const window = yield* signedIn(yield* makeClinic, "SUPPORT")
    yield* onPage(window, async (page) => {
      for (const next of [
        "//example.com",
        "/\\example.com",
        "/../admin/v1/session",
        "https://example.com",
        "/sign-in"
      ]) {
        await page.goto(`/console/sign-in?next=${encodeURIComponent(next)}`)
        await titled(page, "Start")
        assert.strictEqual(pathOf(page), "/console/", next)
      }
    })
  })

  it("ends in all tabs, and shows nothing when the person goes back", function* () {
    const window = yield* signedIn(yield* makeClinic, "SUPPORT", { path: "/account" })
    yield* onPage(window, async (page) => {
      await page.evaluate(() => sessionStorage.setItem("draft", "sealed"))
      const tab = await window.context.newPage()
      await tab.goto("/console/account")
      await titled(tab, "Your account")
      await page.getByRole("link", { name: "Queue" }).click()
      await titled(page, "Queue")
      await press(page, "Sign out")
      await titled(page, "Sign in")
      await titled(tab, "Sign in")
      assert.isNull(await page.evaluate(() => sessionStorage.getItem("draft")))
      await page.goBack()
      await titled(page, "Sign in")
    })
  })

  it("asks to sign in again when the session ends in mid-work, and leads back", function* () {
    const window = yield* signedIn(yield* makeClinic, "SUPPORT", { path: "/account" })
    let isSilent = true
    yield* onPage(window, async (page) => {
      await seen(page, "This one")
      await press(page, "Rename Laptop")
      await page.getByRole("textbox", { name: "Name" }).fill("Desk")
      // The page asks for nothing by itself.
      await page.route("**/admin/v1/session", (route) =>
        isSilent && route.request().method() === "GET" ? new Promise(() => {}) : route.continue()
      )
    })
    yield* fetchIn(window, "DELETE", "/session")
    yield* onPage(window, async (page) => {
      await press(page, "Rename")
      isSilent = false
      await titled(page, "Sign in")
      assert.strictEqual(pathOf(page), "/console/sign-in?next=%2Faccount&ended=true")
      await press(page, "Sign in with a passkey")
      await titled(page, "Your account")
    })
  })
})
