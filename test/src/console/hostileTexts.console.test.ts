import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import { admin } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { harm } from "../harness/console/harm.ts"
import { hostileText, makeHostileClinic } from "../harness/console/hostileClinic.ts"
import { onPage } from "../harness/console/onPage.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(sharedConsole, "hostile texts of partners", (it) => {
  it("are shown as texts on every screen, and change nothing else of it", function* () {
    const { answers, caseId, clinic, deliveryId, endpointId, ofDelivery, paymentId, user } = yield* makeHostileClinic
    for (const { json, status } of answers) assert.isBelow(status, 300, JSON.stringify(json))
    const organization = `/organizations/${clinic.organizationId}`
    const screens = {
      PROVIDER: ["/queue"],
      SUPPORT: ["/", "/queue", `/cases/${caseId}`, "/escalations", "/orders", "/search"],
      THIRD_PARTY_ADMIN: [`/cases/${caseId}`, "/escalations"],
      ADMIN: [
        ...["overview", "keys", "members", "products", "forms", "bundles", "promo-codes"].map(
          (part) => `${organization}/${part}`
        ),
        "/",
        "/payments",
        `/payments/${paymentId}`,
        "/webhooks",
        `/webhooks/${endpointId}`,
        `/webhooks/${ofDelivery}/${deliveryId}`,
        "/audit"
      ]
    }
    // Counts, and times alone.
    const withoutTexts = ["/", `/webhooks/${ofDelivery}/${deliveryId}`]
    const found: Array<string> = []
    const look = async (page: Page, name: string) => {
      await page.waitForLoadState("networkidle")
      const harms: ReadonlyArray<string> = await page.evaluate(harm)
      found.push(...harms.map((each) => `${name}: ${each}`))
    }
    for (const [role, paths] of Object.entries(screens)) {
      const person = { firstName: "Sam", lastName: "Cole" }
      const window = yield* signedIn(clinic, role, { width: 375, person })
      yield* onPage(window, async (page) => {
        page.on("dialog", (dialog) => {
          found.push(`${page.url()}: a dialog`)
          return dialog.dismiss()
        })
        for (const path of paths) {
          await page.goto(`/console${path}`)
          await page.getByRole("heading", { level: 1 }).waitFor()
          if (path === "/search") await page.getByRole("searchbox").fill(user.email)
          if (!withoutTexts.includes(path)) {
            await page.getByRole("main").filter({ hasText: "WWWW" }).waitFor()
          }
          await look(page, `${role} ${path}`)
        }
      })
    }
    const decider = yield* signedIn(clinic, "PROVIDER", { width: 375, path: "/account" })
    yield* admin("POST", `/cases/${caseId}/assign`, { providerId: decider.userId })
    yield* onPage(decider, async (page) => {
      await page.goto(`/console/cases/${caseId}`)
      await page.getByRole("button", { name: "Decide" }).first().click()
      await page.getByRole("radio", { name: "Approve" }).press("Space")
      await page.keyboard.press("Control+Enter")
      await page.getByRole("dialog").filter({ hasText: "WWWW" }).waitFor()
      await look(page, "the confirmation of a decision")
    })
    assert.deepStrictEqual(found, [])
  }, 180_000)

  it("are found by this test where they would do harm", function* () {
    const window = yield* signedIn(yield* makeClinic, "SUPPORT", { width: 375, path: "/account" })
    yield* onPage(window, async (page) => {
      await page.getByRole("heading", { level: 1 }).waitFor()
      assert.deepStrictEqual(await page.evaluate(harm), [])
      await page.evaluate(
        `(() => {
          const paragraph = document.createElement("p")
          paragraph.style.whiteSpace = "pre"
          paragraph.append("Case of " + ${JSON.stringify(hostileText)} + " is done", document.createElement("b"))
          document.querySelector("main").append(paragraph)
        })()`
      )
      const harms: ReadonlyArray<string> = await page.evaluate(harm)
      assert.lengthOf(harms, 3, harms.join())
    })
  })
})
