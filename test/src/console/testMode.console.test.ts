import { assert } from "@effect/vitest"
import type { Locator } from "playwright-core"
import { admin, call } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { waitingCase } from "../harness/console/waitingCase.ts"
import { makeClinic, makeSandbox } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

const banner = "Test mode: this is your sandbox."

testsOn(sharedConsole, "test mode in the console", (it) => {
  it("a provider switches to the sandbox, claims its case, and switches back, and sees only what is of the mode", function* () {
    const live = yield* makeClinic
    const sandbox = yield* makeSandbox(live)
    const testCase = yield* waitingCase(sandbox, "Sandbox")
    yield* waitingCase(live, "Live")
    const provider = yield* signedIn(live, "PROVIDER", { path: "/queue" })
    yield* onPage(provider, async (page) => {
      const patient = (name: string) => page.getByRole("link", { name })
      const queue = () => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Queue" }).click()
      await patient("Maria Live").waitFor()
      assert.isFalse(await page.getByText(banner).isVisible())
      await page.locator("header").getByText("Test mode").click()
      await seen(page, banner)
      await queue()
      await patient("Maria Sandbox").waitFor()
      assert.isFalse(await patient("Maria Live").isVisible())
      await page.keyboard.press("j")
      await page.keyboard.press("c")
      await page
        .getByRole("status")
        .getByText(/is yours/)
        .waitFor()
      const inNewTab = async (link: Locator) => {
        const opened = page.context().waitForEvent("page")
        await link.click({ modifiers: ["ControlOrMeta"] })
        return await opened
      }
      const sandboxTab = await inNewTab(patient("Maria Sandbox"))
      await sandboxTab.getByRole("heading", { name: "Maria Sandbox" }).waitFor()
      await seen(sandboxTab, banner)
      await sandboxTab.close()
      await patient("Maria Sandbox").click()
      await page.getByRole("heading", { name: "Maria Sandbox" }).waitFor()
      await seen(page, banner)
      await page.locator("header").getByText("Test mode").click()
      await page.getByText(banner).waitFor({ state: "detached" })
      await queue()
      const liveTab = await inNewTab(patient("Maria Live"))
      await liveTab.getByRole("heading", { name: "Maria Live" }).waitFor()
      assert.isFalse(await liveTab.getByText(banner).isVisible())
      await liveTab.close()
    })
    const { json } = yield* admin("GET", `/cases/${testCase}`)
    assert.strictEqual(json.assignedTo.id, provider.userId)
  })

  it("what waits in the sandbox is told by its clock, which the banner shows once it was moved", function* () {
    const live = yield* makeClinic
    const sandbox = yield* makeSandbox(live)
    yield* waitingCase(sandbox, "Sandbox")
    const provider = yield* signedIn(live, "PROVIDER", { path: "/queue" })
    yield* onPage(provider, async (page) => {
      await page.locator("header").getByText("Test mode").click()
      await page.getByRole("link", { name: "Queue" }).click()
      await page.getByRole("link", { name: "Maria Sandbox" }).waitFor()
      assert.isFalse(await page.getByText("Its clock shows").isVisible())
    })
    yield* call("POST", "/api/v1/test/clock/advance", { key: sandbox.key, body: { by: "P2D" } })
    yield* onPage(provider, async (page) => {
      await page.reload()
      await seen(page, "Its clock shows")
      await seen(page, "Over a day")
    })
  })

  it("a developer issues the first test key, and finds the switch then; the tab that opens next is live", function* () {
    const live = yield* makeClinic
    const developer = yield* signedIn(live, "DEVELOPER", { path: `/organizations/${live.organizationId}/keys` })
    yield* onPage(developer, async (page) => {
      await page.getByRole("button", { name: "Issue a key" }).click()
      await page.getByText("Test key", { exact: false }).click()
      await page.getByRole("button", { name: "Issue", exact: true }).click()
      assert.match((await page.getByRole("dialog").locator("code").textContent()) ?? "", /^cv_test_/)
      await page.getByRole("button", { name: "I have it" }).click()
      await page.locator("header").getByText("Test mode").click()
      await seen(page, banner)
      await page.getByRole("heading", { name: "Start" }).waitFor()
      // The keys are refused before the organization.
      const keysAnswer = page.waitForResponse(/\/api-keys\b/)
      await page.route(`**/admin/v1/organizations/${live.organizationId}`, async (route) => {
        await keysAnswer
        await route.continue()
      })
      await page.goto(`/console/organizations/${live.organizationId}/keys`)
      await page.getByRole("alert").getByText("Organization not found").waitFor()
      assert.isFalse(await page.getByRole("button", { name: "Issue a key" }).isVisible())
      await page.getByRole("main").getByRole("link", { name: "Organizations" }).click()
      await page.getByRole("heading", { name: "(test)" }).waitFor()
      const other = await page.context().newPage()
      await other.goto("/console")
      await other.locator("header").getByText("Test mode").waitFor()
      assert.isFalse(await other.getByText(banner).isVisible())
    })
  })
})
