import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import { call } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { focused, tabTo, use } from "../harness/console/keyboard.ts"
import { onPage } from "../harness/console/onPage.ts"
import { titled } from "../harness/console/screenSteps.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { makeClinic } from "../harness/fixtures.ts"
import { receiveEvents } from "../harness/receiveEvents.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(sharedConsole, "the portal by the keyboard alone", (it) => {
  const button = (within: Pick<Page, "getByRole">, name: string | RegExp) =>
    within.getByRole("button", { name, exact: true })
  const section = (page: Page, name: string) =>
    page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true })

  it("a developer issues a key, rotates it, adds an endpoint, tests it, and sends the event again", function* () {
    const clinic = yield* makeClinic
    const { arrived, received, url } = yield* receiveEvents
    const window = yield* signedIn(clinic, "DEVELOPER")
    const keys = yield* onPage(window, async (page) => {
      const { keyboard } = page
      const dialog = page.getByRole("dialog")
      const takeSecret = async () => {
        await focused(button(dialog, "Copy"))
        // It is shown once, so that Escape does not lose it.
        await keyboard.press("Escape")
        const secret = (await dialog.locator("code").textContent()) ?? ""
        await use(button(dialog, "I have it"))
        await dialog.waitFor({ state: "detached" })
        return secret
      }

      await titled(page, "Start")
      await use(section(page, "Organizations"))
      await use(page.getByRole("link", { name: "API keys" }))
      await use(button(page, "Issue a key"))
      await keyboard.press("Escape")
      await dialog.waitFor({ state: "detached" })
      await focused(button(page, "Issue a key"))
      await keyboard.press("Enter")
      await keyboard.type("Shop")
      await use(dialog.getByRole("radio", { name: "Everything" }), "ArrowDown")
      await use(dialog.getByRole("checkbox", { name: "webhooks:read" }), "Space")
      await use(button(dialog, "Issue"))
      await dialog.getByText("Your new API key").waitFor()
      const issued = await takeSecret()
      await focused(button(page, "Issue a key"))

      await use(button(page, "Rotate Shop").first())
      await use(button(dialog, "Rotate"))
      await dialog.getByText("Your new API key").waitFor()
      const rotated = await takeSecret()

      await use(section(page, "Webhooks"))
      await use(button(page, "Add an endpoint"))
      await keyboard.type(url)
      await keyboard.press("Enter")
      await dialog.getByText("The secret of the endpoint").waitFor()
      await takeSecret()
      await use(page.getByRole("link", { name: url }))
      await titled(page, "Webhook deliveries")
      await use(button(page, "Send a test event"))
      await page.getByRole("link", { name: "ping" }).waitFor()
      await use(page.getByRole("link", { name: "ping" }))
      await titled(page, "Webhook delivery")
      await page.getByText("Status 204").waitFor()
      await use(button(page, "Send again"))
      await keyboard.press("Escape")
      await focused(button(page, "Send again"))
      await keyboard.press("Enter")
      await use(button(dialog, "Send again"))
      await page.getByRole("status").getByText("The event is sent again").waitFor()
      await tabTo(page.getByRole("link", { name: "All deliveries to the endpoint" }))
      return { issued, rotated }
    })
    yield* arrived(2)
    assert.strictEqual(received[0]?.headers["webhook-id"], received[1]?.headers["webhook-id"])
    for (const key of [keys.issued, keys.rotated]) {
      assert.strictEqual((yield* call("GET", "/api/v1/webhook-endpoints", { key })).status, 200)
    }
  })
})
