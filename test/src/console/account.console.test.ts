import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import { call } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { fetchIn, signedIn } from "../harness/console/signedIn.ts"
import { makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()

testsOn(sharedConsole, "your account in the console", (it) => {
  it("renames a passkey, and says that a device has one already", function* () {
    const window = yield* signedIn(yield* makeClinic, "SUPPORT", { path: "/account" })
    yield* onPage(window, async (page) => {
      await press(page, "Rename Laptop")
      await page.getByRole("textbox", { name: "Name" }).fill("Desk")
      await press(page, "Rename")
      await page.getByRole("table", { name: "Passkeys" }).getByText("Desk").waitFor()
      await press(page, "Add a passkey")
      await page.getByRole("textbox", { name: "Name" }).fill("Again")
      await press(page, "Make the passkey")
      await page.getByRole("alert").getByText("This device has a passkey of yours already").waitFor()
    })
  })

  it("makes new recovery codes, which are shown until they are kept", function* () {
    const window = yield* signedIn(yield* makeClinic, "SUPPORT", { path: "/account" })
    yield* onPage(window, async (page) => {
      await press(page, "Make new ones")
      await press(page, "Make new codes")
      const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem")
      await codes.first().waitFor()
      assert.strictEqual(await codes.count(), 10)
      assert.isTrue(await page.getByRole("button", { name: "Continue" }).isDisabled())
      await page.getByRole("checkbox", { name: "I have kept them" }).check({ force: true })
      await press(page, "Continue")
      await seen(page, "10 of 10 left")
    })
  })

  it("approves the device whose code it shows, and ends its session again", function* () {
    const window = yield* signedIn(yield* makeClinic, "SUPPORT")
    const { json: device } = yield* call("POST", "/admin/v1/session/device")
    yield* onPage(window, async (page) => {
      await page.goto(`/console/device?code=${device.userCode}`)
      await seen(page, "Approve only a device in front of you")
      await press(page, "Approve")
      await seen(page, "Approved")
    })
    const { json } = yield* call("POST", "/admin/v1/session/device/token", {
      body: { deviceCode: device.deviceCode },
      headers: { "user-agent": "care (linux)" }
    })
    assert.isString(json.token)
    yield* onPage(window, async (page) => {
      await page.getByRole("link", { name: "Your account" }).click()
      await page.getByRole("row", { name: /Chrome on Linux This one Laptop/ }).waitFor()
      const row = page.getByRole("row", { name: /care login on Linux/ })
      await row.getByRole("button", { name: "End" }).click()
      await press(page, "End the session")
      await row.waitFor({ state: "detached" })
    })
    const { json: left } = yield* fetchIn(window, "GET", "/sessions")
    assert.lengthOf(left.data, 1)
  })

  it("refuses an unknown code of a device in words", function* () {
    const window = yield* signedIn(yield* makeClinic, "SUPPORT", { path: "/device?code=BCDF-GHJK" })
    yield* onPage(window, async (page) => {
      await press(page, "Deny")
      await page.getByRole("alert").getByText("Code unknown").waitFor()
    })
  })
})
