import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import { admin, call } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { findingsOn } from "../harness/console/findings.ts"
import { use } from "../harness/console/keyboard.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { press } from "../harness/console/screenSteps.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { addEndpoint } from "../harness/endpoints.ts"
import { makeClinic, makeSandbox } from "../harness/fixtures.ts"
import { receiveEvents } from "../harness/receiveEvents.ts"
import { testsOn } from "../harness/testsOn.ts"

const minutes = 60_000

testsOn(sharedConsole, "scenarios in the console", (it) => {
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
  const row = (page: Page, event: string) => page.getByRole("table", { name: "Events" }).getByText(event).first()
  const open = async (page: Page) => {
    await page.locator("header").getByText("Test mode").click()
    await seen(page, "Test mode: this is your sandbox.")
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Scenarios" }).click()
  }

  it(
    "a developer runs a scenario, presses single steps, and sees the events arrive at the endpoint",
    function* () {
      const live = yield* makeClinic
      const sandbox = yield* makeSandbox(live)
      const receiver = yield* receiveEvents
      yield* addEndpoint(sandbox, { url: receiver.url })
      const developer = yield* signedIn(live, "DEVELOPER")
      yield* onPage(developer, async (page) => {
        const keys: Array<string> = []
        page.on("request", (request) => {
          const { cookie, "cv-api-key": key } = request.headers()
          if (key === undefined) return
          keys.push(key)
          assert.isUndefined(cookie)
        })
        await open(page)
        await press(page, "Make a test key")
        await page.getByRole("button", { name: /Scenario$/ }).click()
        await page.getByRole("option", { name: "Rejected", exact: true }).click()
        await press(page, "Run it")
        await page.getByRole("status").getByText("The scenario is done").waitFor()
        assert.strictEqual(await page.getByRole("list", { name: "Steps" }).getByText("Rejected").count(), 2)
        await row(page, "case.closed").waitFor()
        await page.getByRole("table", { name: "Events" }).getByText("Delivered").first().waitFor()

        // What is impossible now cannot be pressed.
        await button(page, "The provider begins").and(page.locator(":disabled")).waitFor()
        await press(page, "The partner reopens the case")
        await row(page, "case.opened").waitFor()
        await button(page, "The provider approves").and(page.locator(":enabled")).waitFor()
        await press(page, "The provider approves")
        await page.getByRole("region", { name: "Case" }).getByText("Approved", { exact: true }).waitFor()
        assert.isNotEmpty(keys)
        for (const key of keys) assert.match(key, /^cv_test_/)
        assert.deepStrictEqual(await findingsOn(page, "scenarios"), [])
        const kept = await page.evaluate("JSON.stringify({ ...localStorage, ...sessionStorage })")
        assert.notInclude(String(kept), "cv_test_")
      })
      yield* receiver.arrived(6)
      const { json } = yield* call("GET", "/api/v1/cases", { key: live.key })
      assert.deepStrictEqual(json.data, [])
    },
    3 * minutes
  )

  it(
    "works by the keyboard alone, and says why a scenario cannot run",
    function* () {
      const live = yield* makeClinic
      // Its sandbox has a copy of its product alone.
      yield* admin("POST", `/organizations/${live.organizationId}/api-keys`, { mode: "test" })
      const developer = yield* signedIn(live, "DEVELOPER")
      yield* onPage(developer, async (page) => {
        await open(page)
        await use(button(page, "Make a test key"))
        await use(page.getByRole("button", { name: /Scenario$/ }))
        await page.keyboard.type("Several")
        await page.keyboard.press("Enter")
        await use(button(page, "Run it"))
        await page.getByRole("alert").getByText("The sandbox has too few products: the scenario needs 2").waitFor()
        await use(page.getByRole("button", { name: /Scenario$/ }))
        await page.keyboard.type("Closed")
        await page.keyboard.press("Enter")
        await use(button(page, "Run it"))
        await page.getByRole("status").getByText("The scenario is done").waitFor()
        await use(button(page, "The partner orders medication"))
        await row(page, "case.activity").waitFor()
        await use(button(page, "A day passes"))
        await button(page, "A day passes").and(page.locator(":enabled")).waitFor()
      })
    },
    3 * minutes
  )
})
