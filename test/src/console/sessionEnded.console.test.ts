import { assert } from "@effect/vitest"
import { sharedConsole } from "../harness/console/Browser.ts"
import { onPage } from "../harness/console/onPage.ts"
import { pathOf, press, titled } from "../harness/console/screenSteps.ts"
import { fetchIn, signedIn } from "../harness/console/signedIn.ts"
import { waitingCase } from "../harness/console/waitingCase.ts"
import { makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"
import { until } from "../harness/until.ts"

testsOn(sharedConsole, "a session that ends in mid-work", (it) => {
  it("revoked by the administrator, it leads to the sign-in within five seconds, and back to the page", function* () {
    const clinic = yield* makeClinic
    const path = `/cases/${yield* waitingCase(clinic)}`
    const administrator = yield* signedIn(clinic, "ADMIN")
    const support = yield* signedIn(clinic, "SUPPORT", { path })
    yield* onPage(support, async (page) => {
      // The page asks for nothing by itself.
      await page.route(/\/viewers$/, () => new Promise(() => {}))
      await press(page, "Comment")
      await page.getByRole("textbox", { name: "Internal note" }).fill("She called")
    })
    const { json: sessions } = yield* fetchIn(administrator, "GET", `/sessions?userId=${support.userId}`)
    for (const { id } of sessions.data) {
      assert.strictEqual((yield* fetchIn(administrator, "DELETE", `/sessions/${id}`)).status, 204)
    }
    const revokedAt = performance.now()
    // What the gateway remembers of a session is at most three seconds old.
    yield* until(fetchIn(support, "GET", path), ({ status }) => status === 401)
    assert.isBelow(performance.now() - revokedAt, 5000)
    yield* onPage(support, async (page) => {
      await press(page, "Save note")
      await titled(page, "Sign in")
      assert.strictEqual(pathOf(page), `/console/sign-in?next=${encodeURIComponent(path)}`)
      await press(page, "Sign in with a passkey")
      await press(page, "Comment")
      assert.strictEqual(pathOf(page), `/console${path}`)
    })
  })
})
