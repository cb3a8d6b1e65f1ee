import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page, Request, Route } from "playwright-core"
import { admin } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { holdLooks, onPage } from "../harness/console/onPage.ts"
import { press } from "../harness/console/screenSteps.ts"
import { fetchIn, signedIn } from "../harness/console/signedIn.ts"
import { waitingCase } from "../harness/console/waitingCase.ts"
import { makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"
import { until } from "../harness/until.ts"

testsOn(sharedConsole, "two people in the console", (it) => {
  const people = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const caseId = yield* waitingCase(clinic)
    const open = (firstName: string, lastName: string, path: string) =>
      signedIn(clinic, "PROVIDER", { path, person: { firstName, lastName } })
    return { caseId, open }
  })

  it("see each other on one case", function* () {
    const { caseId, open } = yield* people
    const ada = yield* open("Ada", "Byron", `/cases/${caseId}`)
    yield* onPage(ada, (page) => page.getByRole("button", { name: "Claim" }).waitFor())
    const grace = yield* open("Grace", "Hopper", `/cases/${caseId}`)
    // A page asks every 10 seconds.
    const sees = (window: typeof ada, name: string) =>
      onPage(window, async (page) => {
        await page.mouse.move(300, 300)
        await page.getByRole("status").getByText(`${name} is here too`).waitFor()
      })
    yield* Effect.all([sees(grace, "Ada Byron"), sees(ada, "Grace Hopper")], { concurrency: "unbounded" })
  })

  it("are still seen when they come back before their leaving arrived", function* () {
    const { caseId, open } = yield* people
    const grace = yield* open("Grace", "Hopper", "/account")
    const ada = yield* open("Ada", "Byron", `/cases/${caseId}`)
    const others = Effect.map(fetchIn(grace, "POST", `/cases/${caseId}/viewers`), ({ json }) =>
      json.data.map(({ firstName }: { readonly firstName: string }) => firstName)
    )
    yield* until(others, (names) => names.includes("Ada"))
    yield* onPage(ada, async (page) => {
      const isLook = (request: Request) => request.method() === "POST" && request.url().endsWith("/viewers")
      const held = new Promise<Route>((hold) => {
        void page.route(/\/viewers$/, (route) =>
          route.request().method() === "DELETE" ? hold(route) : route.continue()
        )
      })
      await page.getByRole("link", { name: "Queue" }).click()
      const leaving = await held
      const looked = page.waitForResponse((response) => isLook(response.request()))
      await page.goBack()
      await page.getByRole("button", { name: "Claim" }).waitFor()
      await leaving.continue()
      await looked
    })
    assert.deepStrictEqual(yield* others, ["Ada"])
  })

  it("of two claims at once in the queue one wins, and the loser reads who has the case", function* () {
    const { caseId, open } = yield* people
    const windows = [yield* open("Ada", "Byron", "/queue"), yield* open("Grace", "Hopper", "/queue")] as const
    const claim = (page: Page) => page.getByRole("button", { name: /^Claim Maria Lopez/ })
    const table = (page: Page) => page.getByRole("table", { name: "Cases" })
    for (const window of windows) yield* onPage(window, (page) => claim(page).waitFor())
    // Neither list is read again before both have pressed the button.
    for (const { page } of windows) yield* Effect.promise(() => page.route(/\/cases\?/, () => new Promise(() => {})))
    const outcomes = yield* Effect.all(
      windows.map((window) =>
        onPage(window, async (page) => {
          await claim(page).click()
          const outcome = table(page).getByText(/is yours|took this case/)
          await outcome.waitFor()
          return outcome.textContent()
        })
      ),
      { concurrency: "unbounded" }
    )
    const { assignedTo } = (yield* admin("GET", `/cases/${caseId}`)).json
    const winner = windows.findIndex(({ userId }) => userId === assignedTo.id)
    assert.match(outcomes[winner] ?? "", /is yours/)
    const name = winner === 0 ? "Ada Byron" : "Grace Hopper"
    assert.match(outcomes[1 - winner] ?? "", new RegExp(`${name} took this case`))
  })

  it("of two claims at once on the case one wins, and the loser reads who has it", function* () {
    const { caseId, open } = yield* people
    const path = `/cases/${caseId}`
    const windows = [yield* open("Ada", "Byron", path), yield* open("Grace", "Hopper", path)] as const
    for (const window of windows) {
      yield* onPage(window, async (page) => {
        await page.getByRole("button", { name: "Claim" }).waitFor()
        await holdLooks(page)
      })
    }
    yield* Effect.all(
      windows.map((window) => onPage(window, (page) => press(page, "Claim"))),
      { concurrency: "unbounded" }
    )
    const { json } = yield* until(admin("GET", `/cases/${caseId}`), (answer) => answer.json.assignedTo !== null)
    const { assignedTo } = json
    for (const window of windows) {
      yield* onPage(window, (page) =>
        window.userId === assignedTo.id
          ? page.getByRole("button", { name: "Start work" }).waitFor()
          : page.getByRole("alert").getByText(`${assignedTo.firstName} ${assignedTo.lastName} took this case`).waitFor()
      )
    }
  })
})
