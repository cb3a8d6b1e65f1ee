import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { admin, call } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { waitingCase } from "../harness/console/waitingCase.ts"
import { inDatabase } from "../harness/database.ts"
import { type Clinic, makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(sharedConsole, "the counts of the console and the lists behind them", (it) => {
  const patients = (page: Page) => page.getByRole("table").getByRole("link").allTextContents()
  const tile = (page: Page, section: string, name: string) =>
    page.getByRole("region", { name: section }).getByRole("link", { name })
  const casesOf = (clinic: Clinic, names: ReadonlyArray<string>) =>
    Effect.forEach(names, (name) => waitingCase(clinic, name))
  const escalate = ({ key }: Clinic, caseId: string) =>
    call("POST", `/api/v1/cases/${caseId}`, {
      key,
      body: { action: "ADD_ESCALATION", escalations: [{ type: "support", title: "Cancellation" }] }
    })

  it("a provider for whom nothing waits sees what is theirs: in the counts, behind each of them, and when the queue opens", function* () {
    const clinic = yield* makeClinic
    const provider = yield* signedIn(clinic, "PROVIDER")
    const [first = "", second = "", third = ""] = yield* casesOf(clinic, ["First", "Second", "Third"])
    for (const id of [first, second, third])
      yield* admin("POST", `/cases/${id}/assign`, { providerId: provider.userId })
    yield* admin("POST", `/cases/${third}/start`)
    yield* inDatabase(
      "cases",
      (sql) => sql`UPDATE cases.cases SET created_at = now() - interval '3 hours' WHERE id = ${second}`
    )
    yield* escalate(clinic, third)
    yield* onPage(provider, async (page) => {
      await page.reload()
      await tile(page, "Waiting for me", "Under an hour 1").waitFor()
      await tile(page, "Everything else", "Open escalations 1").waitFor()
      assert.strictEqual(await page.getByText("Orders in error").count(), 0)
      await tile(page, "Waiting for me", "One to four hours 1").click()
      await page.getByRole("link", { name: "Maria Second" }).waitFor()
      assert.deepStrictEqual(await patients(page), ["Maria Second"])
      await page.getByRole("link", { name: "Show all ages" }).click()
      await page.getByRole("link", { name: "Maria First" }).waitFor()
      assert.deepStrictEqual(await patients(page), ["Maria Second", "Maria First"])
      await page.goto("/console")
      await tile(page, "Everything else", "Cases in progress 1").click()
      await page.getByRole("link", { name: "Maria Third" }).waitFor()
      assert.deepStrictEqual(await patients(page), ["Maria Third"])
      await page.goto("/console/queue")
      // What has an open escalation is first, then the oldest.
      await page.getByRole("link", { name: "Maria Second" }).waitFor()
      assert.deepStrictEqual(await patients(page), ["Maria Third", "Maria Second", "Maria First"])
      await page.getByRole("row").filter({ hasText: "Maria Third" }).getByText("Escalation").waitFor()
      assert.strictEqual(await page.getByRole("link", { name: "Mine" }).getAttribute("aria-current"), "page")
      await page.getByRole("link", { name: "Waiting", exact: true }).click()
      await seen(page, "No case waits")
      await page.getByRole("link", { name: "“Mine” has 3 cases." }).click()
      await page.getByRole("link", { name: "Maria First" }).waitFor()
      await page.goto("/console/escalations")
      await page.getByRole("button", { name: /^Complete “Cancellation”/ }).waitFor()
    })
  })

  it("the queue begins with what is overdue, and says when a case is due", function* () {
    const clinic = yield* makeClinic
    const [, late = ""] = yield* casesOf(clinic, ["First", "Late"])
    yield* inDatabase("cases", (sql) => sql`UPDATE cases.cases SET due_on = '2026-01-02' WHERE id = ${late}`)
    yield* onPage(yield* signedIn(clinic, "SUPPORT", { path: "/queue" }), async (page) => {
      await page.getByRole("row").filter({ hasText: "Maria Late" }).getByText("Overdue").waitFor()
      assert.deepStrictEqual(await patients(page), ["Maria Late", "Maria First"])
      await page.getByRole("link", { name: "Show newest first" }).click()
      await page.getByRole("link", { name: "Show most urgent first" }).waitFor()
    })
  })

  it("while nothing changes the counts are not sent again", function* () {
    const clinic = yield* makeClinic
    yield* waitingCase(clinic, "First")
    const support = yield* signedIn(clinic, "SUPPORT", { path: "/queue" })
    yield* onPage(support, async (page) => {
      await page.getByRole("link", { name: "Maria First" }).waitFor()
      await page.waitForResponse((response) => response.url().includes("/dashboard?") && response.status() === 304)
    })
    yield* waitingCase(clinic, "Second")
    yield* onPage(support, (page) => page.getByRole("link", { name: "Maria Second" }).waitFor())
  })
})
