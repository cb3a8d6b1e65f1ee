import { assert } from "@effect/vitest"
import { sharedConsole } from "../harness/console/Browser.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { titled } from "../harness/console/screenSteps.ts"
import { signedIn, signedInOperator } from "../harness/console/signedIn.ts"
import { waitingCase } from "../harness/console/waitingCase.ts"
import { makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(sharedConsole, "the navigation of the console", (it) => {
  const sectionsIn = (window: Parameters<typeof onPage>[0]) =>
    onPage(window, async (page) => {
      await page.getByRole("heading", { level: 1 }).waitFor()
      return page.getByRole("navigation", { name: "Main" }).getByRole("link").allTextContents()
    })

  it("shows each role the screens that it may read", function* () {
    const clinic = yield* makeClinic
    const provider = yield* sectionsIn(yield* signedIn(clinic, "PROVIDER"))
    assert.includeMembers(provider, ["Queue", "Search"])
    assert.notIncludeMembers(provider, ["Jobs", "Payments", "Audit"])
    const operator = yield* sectionsIn(yield* signedInOperator("/"))
    assert.includeMembers(operator, ["Queue", "Jobs", "Payments", "Audit"])
  })

  it("a screen for other roles says so, leads back, and reads nothing", function* () {
    const clinic = yield* makeClinic
    yield* waitingCase(clinic)
    const others = { ADMIN: ["/queue", "/jobs"], PROVIDER: ["/payments?status=OPEN", "/webhooks", "/promo-codes"] }
    for (const [role, paths] of Object.entries(others)) {
      const window = yield* signedIn(clinic, role)
      yield* onPage(window, async (page) => {
        const refused: Array<string> = []
        page.on("response", (response) => {
          if (response.status() >= 400) refused.push(response.url())
        })
        for (const path of paths) {
          await page.goto(`/console${path}`)
          await titled(page, "This page is not for your role")
          assert.strictEqual(await page.getByText("Maria").count(), 0)
        }
        await page.getByRole("link", { name: "Go to the start" }).click()
        await titled(page, "Start")
        assert.deepStrictEqual(refused, [])
      })
    }
  })

  it("stays on a page that is not there", function* () {
    const window = yield* signedIn(yield* makeClinic, "ADMIN")
    yield* onPage(window, async (page) => {
      for (const path of ["/nowhere", "/queue/7", "/payments/7", "/webhooks/7/8"]) {
        await page.goto(`/console${path}`)
        await titled(page, "There is no such page")
        await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Payments" }).waitFor()
      }
      await page.getByRole("link", { name: "Your account" }).click()
      await seen(page, "Laptop")
    })
  })
})
