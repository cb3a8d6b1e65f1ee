import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { addStaff, caseBody, createCase, makeClinic } from "../harness/fixtures.ts"
import { tamper } from "../harness/runAudit.ts"
import { testsOn } from "../harness/testsOn.ts"
import { until } from "../harness/until.ts"

testsOn(sharedConsole, "the audit in the console", (it) => {
  const recordedClinic = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const heads = admin("GET", `/audit/heads/cases?organizationId=${clinic.organizationId}`)
    yield* until(heads, ({ json }) => json.data.some(({ count }: { readonly count: number }) => count > 0))
    return { clinic, caseId }
  })

  it("shows who did what to a case, by name, and marks broken glass with its reason", function* () {
    const { caseId, clinic } = yield* recordedClinic
    const userId = yield* addStaff(clinic, { firstName: "Grace", lastName: "Hopper", npi: "1234567893" })
    yield* admin("POST", `/cases/${caseId}/break-glass`, { userId, reason: "The patient is unconscious" })
    const window = yield* signedIn(clinic, "ADMIN", { path: `/audit?caseId=${caseId}` })
    yield* onPage(window, async (page) => {
      await page.getByRole("row", { name: /A case was created/ }).waitFor()
      const broken = page.getByRole("row", { name: /opened a case that is not theirs/ })
      await broken.getByText("Broken glass").waitFor()
      await page.getByRole("textbox", { name: "Case" }).fill("")
      await page.getByRole("textbox", { name: "Patient" }).fill("lopez")
      await page.getByRole("textbox", { name: "Patient" }).press("Enter")
      await seen(page, /^Maria Lopez, maria\./)
      await page.getByRole("row", { name: /A case was created/ }).waitFor()
      assert.match(page.url(), /patientId=/)
      assert.notMatch(page.url(), /lopez/i)
      await page.getByRole("link", { name: "Broken glass" }).click()
      await page.getByRole("row", { name: /Grace Hopper.*The patient is unconscious.*Still open/ }).waitFor()
    })
  })

  it("shows what one person did, chosen by name, and whom it was about", function* () {
    const { clinic } = yield* recordedClinic
    yield* addStaff(clinic, { firstName: "Grace", lastName: "Hopper", npi: "1234567893" })
    const window = yield* signedIn(clinic, "ADMIN", { path: "/audit" })
    yield* onPage(window, async (page) => {
      await page
        .getByRole("row", { name: /machine of the operator.*A member of staff was added.*Grace Hopper/ })
        .waitFor()
      await page.getByRole("row", { name: /machine of the operator.*An API key was issued.*Key cv_live_/ }).waitFor()
      await page.getByRole("button", { name: /Who/ }).press("Enter")
      await page.getByRole("option", { name: "Grace Hopper" }).click()
      await seen(page, /No records/)
      assert.match(page.url(), /actorId=/)
      await page.getByRole("button", { name: /Who/ }).press("Enter")
      await page.getByRole("option", { name: "Anyone" }).click()
      await page.getByRole("row", { name: /A case was created/ }).waitFor()
    })
  })

  it("verifies the chains, and names a record that was changed", function* () {
    const { clinic } = yield* recordedClinic
    const window = yield* signedIn(clinic, "ADMIN", { path: "/audit?part=chains" })
    yield* onPage(window, async (page) => {
      await page.getByRole("button", { name: "Verify now" }).click()
      await seen(page, /No changes found\. \d+ records are as the services wrote them/)
    })
    yield* tamper(
      (sql) => sql`
        UPDATE cases.audit_entries SET user_id = NULL WHERE organization_id = ${clinic.organizationId} AND number = 1
      `
    )
    yield* onPage(window, async (page) => {
      await page.getByRole("button", { name: "Verify now" }).click()
      await seen(page, /In cases, record 1 was changed/)
    })
  })
})
