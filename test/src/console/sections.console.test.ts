import { assert } from "@effect/vitest"
import { sharedConsole } from "../harness/console/Browser.ts"
import { onPage } from "../harness/console/onPage.ts"
import { signedIn, signedInOperator } from "../harness/console/signedIn.ts"
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
})
