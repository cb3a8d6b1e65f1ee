import { assert } from "@effect/vitest"
import { sharedConsole } from "../harness/console/Browser.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { signedIn, signedInOperator } from "../harness/console/signedIn.ts"
import { addEndpoint } from "../harness/endpoints.ts"
import { caseBody, createCase, makeClinic } from "../harness/fixtures.ts"
import { receiveEvents } from "../harness/receiveEvents.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(sharedConsole, "webhooks in the console", (it) => {
  it("shows a delivery with its attempts, and sends it again after a confirmation that names it", function* () {
    const clinic = yield* makeClinic
    const { arrived, received, url } = yield* receiveEvents
    yield* addEndpoint(clinic, { url, eventTypes: ["case.created"] })
    yield* createCase(clinic, caseBody(clinic))
    yield* arrived(1)
    const window = yield* signedIn(clinic, "ADMIN", { path: "/webhooks" })
    yield* onPage(window, async (page) => {
      await page.getByRole("link", { name: url }).click()
      await page.getByRole("link", { name: "case.created" }).click()
      await page.getByRole("region", { name: "Attempts" }).getByText("Status 204").first().waitFor()
      await page.getByRole("button", { name: "Send again" }).click()
      const dialog = page.getByRole("dialog")
      await dialog.getByText("case.created").waitFor()
      await dialog.getByText(url).waitFor()
      await dialog.getByRole("button", { name: "Send again" }).click()
      await dialog.waitFor({ state: "detached" })
    })
    yield* arrived(2)
    const ids = received.map(({ headers }) => headers["webhook-id"])
    assert.strictEqual(ids[0], ids[1])
  })

  it("tells operators to choose an organization", function* () {
    const window = yield* signedInOperator("/webhooks")
    yield* onPage(window, (page) => seen(page, "Webhook endpoints are shown for one organization at a time"))
  })
})
