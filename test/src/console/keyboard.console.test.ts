import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import { admin } from "../harness/call.ts"
import { Browser, sharedConsole } from "../harness/console/Browser.ts"
import { focused, tabTo, use } from "../harness/console/keyboard.ts"
import { onPage } from "../harness/console/onPage.ts"
import { titled } from "../harness/console/screenSteps.ts"
import { waitingCase } from "../harness/console/waitingCase.ts"
import { addStaff, makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(sharedConsole, "the console by the keyboard alone", (it) => {
  const button = (within: Pick<Page, "getByRole">, name: string) => within.getByRole("button", { name, exact: true })
  const textbox = (page: Page, name: string | RegExp) => page.getByRole("textbox", { name, exact: true })

  it("a provider signs in, takes a case, and decides", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* waitingCase(clinic)
    const email = `ada.${clinic.organizationId}@clinic.example.com`
    yield* addStaff(clinic, { email, npi: "1234567893" })
    const window = yield* (yield* Browser).open()
    const header = window.page.getByRole("region", { name: "Patient and case" })
    yield* onPage(window, async (page) => {
      await page.goto("/console")
      await tabTo(textbox(page, "Email"))
      await page.keyboard.type(email)
      await page.keyboard.press("Enter")
      await titled(page, "Enter the code")
      await use(button(page, "Use this code"))
      await use(button(page, "Continue"))
      await tabTo(textbox(page, /^Name of the passkey/))
      await page.keyboard.type("Laptop")
      await page.keyboard.press("Enter")
      await use(page.getByRole("checkbox", { name: "I have kept them" }), "Space")
      await use(button(page, "Continue"))

      await titled(page, "Start")
      await use(page.getByRole("link", { name: "Queue", exact: true }))
      await titled(page, "Queue")
      await page.getByRole("link", { name: "Maria Lopez" }).waitFor()
      await page.keyboard.press("j")
      await page.keyboard.press("c")
      await page
        .getByRole("status")
        .getByText(/is yours/)
        .waitFor()
      await page.keyboard.press("Enter")
      await page.waitForURL(`**/console/cases/${caseId}`)

      await page.getByRole("button", { name: "Start work" }).waitFor()
      await page.keyboard.press("s")
      await header.getByText("In progress").waitFor()
      await page.keyboard.press("d")
      await tabTo(page.getByRole("radio", { name: "Approve" }))
      await page.keyboard.press("Space")
      await use(button(page, "Add a medicine"))
      await tabTo(textbox(page, "Medicine"))
      await page.keyboard.type("Semaglutide")
      await tabTo(textbox(page, "Dosage"))
      await page.keyboard.type("0.25 mg")
      await page.keyboard.press("Control+Enter")
      await use(button(page.getByRole("dialog", { name: "Approve for Maria Lopez?" }), "Approve"))
      await header.getByText("Approved").waitFor()
      await focused(button(page, "Decide"))
    })
    const [decision] = (yield* admin("GET", `/cases/${caseId}/decisions`)).json.data
    assert.deepInclude(decision.medInfo[0], { medicine: "Semaglutide", dosage: "0.25 mg" })
  })
})
