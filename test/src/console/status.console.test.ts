import { until } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { admin } from "../harness/call.ts"
import { Browser, sharedConsole } from "../harness/console/Browser.ts"
import { findingsOn } from "../harness/console/findings.ts"
import { onPage } from "../harness/console/onPage.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(sharedConsole, "the status page", (it) => {
  it("says what happened on each of 90 days, to a screen reader and by keyboard, and is accessible", function* () {
    const title = "Orders are late"
    const opened = yield* admin("POST", "/incidents", { title, impact: "OUTAGE", text: "We look for the cause." })
    const window = yield* (yield* Browser).open()
    // The gateway keeps the page for some seconds.
    const read = onPage(window, async (page) => {
      await page.goto("/status")
      return page.getByRole("heading", { name: title }).count()
    })
    yield* until(read, (count) => count > 0)
    const findings = yield* onPage(window, async (page) => {
      const days = await page.getByRole("list", { name: "The last 90 days" }).getByRole("listitem").allTextContents()
      assert.lengthOf(new Set(days), 90)
      for (const day of days) assert.match(day, /^\d{4}-\d\d-\d\d: ./)
      assert.include(days.at(-1), `${title} (outage)`)
      assert.include(days, `${new Date(Date.now() - 80 * 86_400_000).toISOString().slice(0, 10)}: no incident`)
      const inWords = page.locator("details").getByText(`${title} (outage)`)
      assert.isFalse(await inWords.isVisible())
      await page.keyboard.press("Tab")
      await page.keyboard.press("Enter")
      assert.isTrue(await inWords.isVisible())
      return findingsOn(page, "status")
    })
    yield* admin("PATCH", `/incidents/${opened.json.id}`, { isResolved: true })
    assert.deepStrictEqual(findings, [])
  })
})
