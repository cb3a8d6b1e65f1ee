import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { admin, call } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { changeDraft, onPage } from "../harness/console/onPage.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { addStaff, caseBody, createCase, makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(sharedConsole, "escalating a case in the console", (it) => {
  const clinicWithCase = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic, { isTest: true }))).json.data.caseId
    return { clinic, caseId, path: `/cases/${caseId}` }
  })
  const openByKey = async (page: Page) => {
    await page.getByRole("button", { name: "Escalate" }).waitFor()
    await page.keyboard.press("e")
  }

  it("a provider escalates a case by the keyboard: what was typed stays a draft, and the case shows it", function* () {
    const { caseId, clinic, path } = yield* clinicWithCase
    yield* addStaff(clinic, { role: "THIRD_PARTY_ADMIN", firstName: "Tom", lastName: "Reed" })
    const window = yield* signedIn(clinic, "PROVIDER", { path })
    const dialog = (page: Page) => page.getByRole("dialog", { name: /^Escalate case .* of Maria Lopez$/ })
    const note = (page: Page) => dialog(page).getByRole("textbox", { name: "Note" })
    const choose = async (page: Page, field: RegExp, option: string) => {
      await dialog(page).getByRole("button", { name: field }).press("Enter")
      await page.getByRole("option", { name: option, exact: true }).press("Enter")
    }
    yield* onPage(window, async (page) => {
      await openByKey(page)
      assert.isTrue(await dialog(page).getByRole("radio", { name: "Clinical" }).isChecked())
      await dialog(page).getByRole("radio", { name: "Clinical" }).press("Control+Enter")
      await dialog(page).getByRole("alert").getByText("Choose a title.").waitFor()
      await changeDraft(page, () => choose(page, /Title$/, "Lab Review"))
      await changeDraft(page, () => note(page).fill("Creatinine <b>is</b> high"))
      await page.keyboard.press("Escape")
      await dialog(page).waitFor({ state: "detached" })
      await page.reload()
      await openByKey(page)
      assert.strictEqual(await note(page).inputValue(), "Creatinine <b>is</b> high")
      await choose(page, /Assigned to$/, "Tom Reed")
      await dialog(page).getByLabel("Follow up by").fill("2030-01-31T09:30")
      await note(page).press("Control+Enter")
      await dialog(page).waitFor({ state: "detached" })
      const shown = page.getByRole("region", { name: "Escalations" })
      for (const text of [/^Lab Review$/, /is<\/b> high/, /for Tom Reed, due/]) await shown.getByText(text).waitFor()
      await page.getByRole("region", { name: "Timeline" }).getByText("Escalated: Lab Review", { exact: true }).waitFor()
      await page.getByRole("button", { name: "Escalate" }).press("Enter")
      assert.strictEqual(await note(page).inputValue(), "")
    })
    const [escalation] = (yield* admin("GET", `/cases/${caseId}/escalations`)).json.data
    assert.deepInclude(escalation, { type: "clinical", title: "Lab Review", note: "Creatinine <b>is</b> high" })
    assert.match(escalation.followUpDueAt, /^2030-01-3/)
  })

  it("an escalation that is open already is marked, and refused in words: the window and the draft stay", function* () {
    const { clinic, path } = yield* clinicWithCase
    const body = { action: "ADD_ESCALATION", escalations: [{ type: "support", title: "Cancellation" }] }
    yield* call("POST", `/api/v1${path}`, { key: clinic.key, body })
    const window = yield* signedIn(clinic, "SUPPORT", { path })
    yield* onPage(window, async (page) => {
      await page.getByRole("button", { name: "Escalate" }).press("Enter")
      const dialog = page.getByRole("dialog", { name: /^Escalate case/ })
      await dialog.getByRole("button", { name: /Title$/ }).press("Enter")
      await page.getByRole("option", { name: "Cancellation (open already)" }).press("Enter")
      await dialog.getByRole("textbox", { name: "Note" }).fill("Again")
      await dialog.getByRole("button", { name: "Escalate" }).press("Enter")
      await dialog
        .getByRole("alert")
        .getByText(/The case has an active escalation support \/ Cancellation/)
        .waitFor()
      assert.strictEqual(await dialog.getByRole("textbox", { name: "Note" }).inputValue(), "Again")
    })
  })

  it("a third-party administrator escalates a case to themselves", function* () {
    const { caseId, clinic, path } = yield* clinicWithCase
    const window = yield* signedIn(clinic, "THIRD_PARTY_ADMIN", { path })
    yield* onPage(window, async (page) => {
      await openByKey(page)
      const dialog = page.getByRole("dialog", { name: "Escalate this case" })
      await dialog.getByRole("radio", { name: "External" }).press("Space")
      for (const [field, option] of [
        [/Title$/, "Missing Payment"],
        [/Assigned to$/, "You"]
      ] as const) {
        await dialog.getByRole("button", { name: field }).press("Enter")
        await page.getByRole("option", { name: option, exact: true }).press("Enter")
      }
      await dialog.getByRole("button", { name: "Escalate" }).press("Enter")
      await page.getByRole("region", { name: "Escalations" }).getByText("Missing Payment").waitFor()
    })
    const [escalation] = (yield* admin("GET", `/cases/${caseId}/escalations`)).json.data
    assert.deepInclude(escalation, { type: "external", title: "Missing Payment", assignedToUserId: window.userId })
  })
})
