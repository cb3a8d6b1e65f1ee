import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "../harness/call.ts"
import { type ConsoleWindow, sharedConsole } from "../harness/console/Browser.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { pathOf, press, titled } from "../harness/console/screenSteps.ts"
import { fetchIn, signedIn } from "../harness/console/signedIn.ts"
import { waitingCase } from "../harness/console/waitingCase.ts"
import { type Clinic, makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"
import { until } from "../harness/until.ts"

testsOn(sharedConsole, "a session that ends in mid-work", (it) => {
  it("revoked by the administrator, it leads to the sign-in within five seconds, and back to the page", function* () {
    const clinic = yield* makeClinic
    const path = `/cases/${yield* waitingCase(clinic)}`
    const administrator = yield* signedIn(clinic, "ADMIN")
    const support = yield* signedIn(clinic, "SUPPORT", { path })
    let isSilent = true
    yield* onPage(support, async (page) => {
      // The page asks for nothing by itself.
      await page.route(/\/(viewers|session)$/, (route) => (isSilent ? new Promise(() => {}) : route.continue()))
      await press(page, "Comment")
      await page.getByRole("textbox", { name: "Internal note" }).fill("She called")
    })
    const { json: sessions } = yield* fetchIn(administrator, "GET", `/sessions?userId=${support.userId}`)
    for (const { id } of sessions.data) {
      assert.strictEqual((yield* fetchIn(administrator, "DELETE", `/sessions/${id}`)).status, 204)
    }
    const revokedAt = performance.now()
    let lastAccepted = revokedAt
    // What the gateway remembers of a session is at most three seconds old.
    const read = Effect.suspend(() => {
      const began = performance.now()
      return Effect.tap(fetchIn(support, "GET", path), ({ status }) =>
        Effect.sync(() => {
          if (status === 200) lastAccepted = began
        })
      )
    })
    yield* until(read, ({ status }) => status === 401)
    assert.isBelow(lastAccepted - revokedAt, 5000)
    yield* onPage(support, async (page) => {
      await press(page, "Save note")
      isSilent = false
      await titled(page, "Sign in")
      assert.strictEqual(pathOf(page), `/console/sign-in?next=${encodeURIComponent(path)}&ended=true`)
      await page.getByRole("alert").getByText("Your session has ended").waitFor()
      await press(page, "Sign in with a passkey")
      await press(page, "Comment")
      assert.strictEqual(pathOf(page), `/console${path}`)
    })
  })

  /** Opens a window whose clock the test moves. */
  const openWatched = Effect.fnUntraced(function* (clinic: Clinic, path: string, shown: string) {
    const window = yield* signedIn(clinic, "SUPPORT", { path: "/account" })
    yield* onPage(window, async (page) => {
      await page.clock.install()
      await page.goto(`/console${path}`)
      await seen(page, shown)
    })
    return window
  })

  const leavesByItself = (window: ConsoleWindow, shown: string) =>
    Effect.gen(function* () {
      yield* until(fetchIn(window, "GET", "/session"), ({ status }) => status === 401)
      yield* onPage(window, async (page) => {
        await page.clock.fastForward(10_000)
        await titled(page, "Sign in")
        await page.getByRole("alert").getByText("Your session has ended").waitFor()
        assert.notInclude(await page.locator("html").textContent(), shown)
      })
    })

  it("ended by the person elsewhere, its window says so by itself, and shows nothing any more", function* () {
    const clinic = yield* makeClinic
    const path = `/cases/${yield* waitingCase(clinic, "Nachtigall")}`
    const window = yield* openWatched(clinic, path, "Nachtigall")
    const { json: device } = yield* call("POST", "/admin/v1/session/device")
    const approval = { userCode: device.userCode, isApproved: true }
    assert.strictEqual((yield* fetchIn(window, "POST", "/session/device/approve", approval)).status, 204)
    const { json } = yield* call("POST", "/admin/v1/session/device/token", { body: { deviceCode: device.deviceCode } })
    const headers = { authorization: `Bearer ${json.token}` }
    assert.strictEqual((yield* call("DELETE", "/admin/v1/sessions", { headers })).status, 204)
    yield* leavesByItself(window, "Nachtigall")
  })

  it("of a member who was deleted, its window says so by itself, and shows nothing any more", function* () {
    const clinic = yield* makeClinic
    const window = yield* openWatched(clinic, "/account", "Laptop")
    assert.strictEqual((yield* admin("DELETE", `/users/${window.userId}`)).status, 204)
    yield* leavesByItself(window, "Laptop")
  })
})
