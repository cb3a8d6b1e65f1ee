import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { admin } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { addStaff, type Clinic, caseBody, createCase, makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(sharedConsole, "the queue of the console", (it) => {
  /** Makes a case that waits for a provider, because test cases get none by themselves. */
  const waitingCase = Effect.fnUntraced(function* (clinic: Clinic, lastName: string) {
    const { user, ...body } = caseBody(clinic, { isTest: true })
    const { json } = yield* createCase(clinic, { ...body, user: { ...user, firstName: "Maria", lastName } })
    return String(json.data.caseId)
  })
  const providerOf = (id: string) =>
    Effect.map(admin("GET", `/cases/${id}`), ({ json }): string | undefined => json.assignedTo?.id)
  const patient = (page: Page, name: string) => page.getByRole("link", { name })
  const patients = (page: Page) => page.getByRole("table").getByRole("link").allTextContents()
  const isFocused = (page: Page, name: string) => page.locator("a:focus").getByText(name, { exact: true }).waitFor()
  /** Holds the list as it is, so that the person does not see what others do. */
  const holdList = (page: Page) => page.route(/\/admin\/v1\/cases\?/, () => new Promise<void>(() => {}))

  it("keys move through what waits, oldest first, claim a case and open it", function* () {
    const clinic = yield* makeClinic
    const cases = [yield* waitingCase(clinic, "First"), yield* waitingCase(clinic, "Second")]
    const provider = yield* signedIn(clinic, "PROVIDER", { path: "/queue" })
    yield* onPage(provider, async (page) => {
      await patient(page, "Maria First").waitFor()
      assert.deepStrictEqual(await patients(page), ["Maria First", "Maria Second"])
      await page.keyboard.press("j")
      await isFocused(page, "Maria First")
      await page.keyboard.press("ArrowDown")
      await isFocused(page, "Maria Second")
      await page.keyboard.press("c")
      await page
        .getByRole("status")
        .getByText(/is yours/)
        .waitFor()
      await page.keyboard.press("k")
      await isFocused(page, "Maria First")
    })
    assert.deepStrictEqual(yield* Effect.forEach(cases, providerOf), [undefined, provider.userId])
    yield* onPage(provider, async (page) => {
      await page.getByRole("link", { name: "Mine" }).click()
      await patient(page, "Maria First").waitFor({ state: "detached" })
      await patient(page, "Maria Second").focus()
      await page.keyboard.press("Enter")
      await page.waitForURL(`**/console/cases/${cases[1]}`)
    })
  })

  it("new work appears at the end, and what others took stays in its place, with the focus where it was", function* () {
    const clinic = yield* makeClinic
    const first = yield* waitingCase(clinic, "First")
    yield* waitingCase(clinic, "Second")
    const other = yield* addStaff(clinic)
    const support = yield* signedIn(clinic, "SUPPORT", { path: "/queue" })
    yield* onPage(support, async (page) => {
      await patient(page, "Maria Second").focus()
    })
    yield* admin("POST", `/cases/${first}/assign`, { providerId: other })
    yield* waitingCase(clinic, "Third")
    yield* onPage(support, async (page) => {
      await patient(page, "Maria Third").waitFor()
      await isFocused(page, "Maria Second")
      assert.deepStrictEqual(await patients(page), ["Maria First", "Maria Second", "Maria Third"])
      await page.getByRole("status").getByText("1 case left the list").waitFor()
      await page.getByRole("button", { name: "Update the list" }).click()
      await patient(page, "Maria First").waitFor({ state: "detached" })
      assert.deepStrictEqual(await patients(page), ["Maria Second", "Maria Third"])
    })
  })

  it("a lost race says who has the case", function* () {
    const clinic = yield* makeClinic
    const id = yield* waitingCase(clinic, "First")
    const other = yield* addStaff(clinic, { firstName: "Ada", lastName: "Byron" })
    const provider = yield* signedIn(clinic, "PROVIDER", { path: "/queue" })
    yield* onPage(provider, async (page) => {
      await patient(page, "Maria First").waitFor()
      await holdList(page)
    })
    yield* admin("POST", `/cases/${id}/assign`, { providerId: other })
    yield* onPage(provider, async (page) => {
      await page.getByRole("button", { name: /^Claim Maria First/ }).click()
      await page
        .getByRole("table")
        .getByText(/Ada Byron took this case\. just now/)
        .waitFor()
      assert.strictEqual(await page.getByRole("button", { name: /^Claim/ }).count(), 0)
    })
    assert.strictEqual(yield* providerOf(id), other)
  })

  it("support assigns several cases, and sees the outcome of each", function* () {
    const clinic = yield* makeClinic
    const [first, second] = [yield* waitingCase(clinic, "First"), yield* waitingCase(clinic, "Second")]
    const ada = yield* addStaff(clinic, { firstName: "Ada", lastName: "Byron" })
    const support = yield* signedIn(clinic, "SUPPORT", { path: "/queue" })
    yield* onPage(support, async (page) => {
      await patient(page, "Maria First").waitFor()
      await holdList(page)
      for (const name of ["First", "Second"]) {
        await patient(page, `Maria ${name}`).focus()
        await page.keyboard.press("x")
      }
      await seen(page, "2 cases selected")
    })
    yield* admin("POST", `/cases/${second}/assign`, { providerId: ada })
    yield* admin("POST", `/cases/${second}/start`)
    yield* onPage(support, async (page) => {
      const bar = page.getByRole("region", { name: "Selected cases" })
      await bar.getByRole("button", { name: /Provider/ }).click()
      await page.getByRole("option", { name: "Ada Byron" }).click()
      await bar.getByRole("button", { name: "Assign" }).click()
      const window = page.getByRole("dialog", { name: "Assign 2 cases to Ada Byron" })
      await window.getByRole("button", { name: "Assign to Ada Byron" }).click()
      await window.getByText("1 of 2 assigned.").waitFor()
      const outcomes = await window.getByRole("listitem").allInnerTexts()
      assert.match(outcomes[0] ?? "", /Maria First.*Assigned/s)
      assert.match(outcomes[1] ?? "", /Maria Second.*Not assigned/s)
      await window.getByRole("button", { name: "Done" }).click()
      await bar.waitFor({ state: "detached" })
    })
    assert.deepStrictEqual(yield* Effect.forEach([first, second], providerOf), [ada, ada])
  })
})
