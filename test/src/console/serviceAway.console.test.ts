import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { CasesProxy, consoleBeforeProxy } from "../harness/console/Browser.ts"
import { onPage } from "../harness/console/onPage.ts"
import { press, titled } from "../harness/console/screenSteps.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { waitingCase } from "../harness/console/waitingCase.ts"
import { makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(consoleBeforeProxy, "a service that goes away", (it) => {
  it("is said on the screen, with a way to try again, and what was read or typed stays", function* () {
    const proxy = yield* CasesProxy
    yield* Effect.addFinalizer(() => proxy.recover)
    const clinic = yield* makeClinic
    const caseId = yield* waitingCase(clinic)
    const window = yield* signedIn(clinic, "SUPPORT", { path: `/cases/${caseId}` })
    const failure = window.page.getByRole("main").getByRole("alert")
    yield* onPage(window, async (page) => {
      await press(page, "Comment")
      await page.getByRole("textbox", { name: "Internal note" }).fill("She called")
    })
    yield* proxy.fail("refuses")
    yield* onPage(window, async (page) => {
      await press(page, "Save note")
      await page.getByRole("form").getByRole("alert").waitFor()
      await page.getByRole("link", { name: "Escalations" }).click()
      await titled(page, "Escalations")
      await failure.getByText(/^Request id: /).waitFor()
    })
    yield* proxy.recover
    yield* onPage(window, async (page) => {
      await failure.getByRole("button", { name: "Try again" }).click()
      await page.getByText("No escalation is open").waitFor()
      await page.goto(`/console/cases/${caseId}`)
      await press(page, "Comment")
      await press(page, "Save note")
      await page.getByRole("region", { name: "Timeline" }).getByText("She called").waitFor()
    })
  })

  it("and that does not answer keeps no screen waiting for ever", function* () {
    const proxy = yield* CasesProxy
    yield* Effect.addFinalizer(() => proxy.recover)
    const clinic = yield* makeClinic
    yield* waitingCase(clinic)
    const window = yield* signedIn(clinic, "SUPPORT", { path: "/account" })
    yield* proxy.fail("hangs")
    const reads: Array<string> = []
    yield* onPage(window, async (page) => {
      await page.clock.install()
      await page.reload()
      await titled(page, "Your account")
      page.on("request", (request) => {
        const { pathname } = new URL(request.url())
        if (pathname === "/admin/v1/cases") reads.push(request.url())
      })
      await page.getByRole("link", { name: "Queue" }).click()
      await page.getByText("Loading").first().waitFor({ state: "attached" })
      await page.clock.fastForward(4000)
      await page.getByText("This takes longer than usual.").waitFor()
      await page.clock.fastForward(8000)
      await page.getByRole("main").getByText("No answer in time").waitFor()
      reads.length = 0
      await page.clock.fastForward(20_000)
    })
    assert.deepStrictEqual(reads, [])
    yield* proxy.recover
    yield* onPage(window, async (page) => {
      await press(page, "Try again")
      await page.getByRole("link", { name: "Maria Lopez" }).waitFor()
    })
  })
})
