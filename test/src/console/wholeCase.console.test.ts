import { assert } from "@effect/vitest"
import { admin, call } from "../harness/call.ts"
import { Browser, ownConsole } from "../harness/console/Browser.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { pathOf, press, signInFirst, titled } from "../harness/console/screenSteps.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { waitingCase } from "../harness/console/waitingCase.ts"
import { jobsDone } from "../harness/database.ts"
import { addStaff, makeClinic } from "../harness/fixtures.ts"
import { placeOrder } from "../harness/placeOrder.ts"
import { SuiteTime } from "../harness/SuiteTime.ts"
import { saveMethod } from "../harness/saveMethod.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(ownConsole, "a whole case in the console", (it) => {
  it("a provider signs in, takes a case from the queue, and decides; the order goes its way; an administrator captures and refunds", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* waitingCase(clinic)
    const email = `ada.${clinic.organizationId}@clinic.example.com`
    yield* addStaff(clinic, { email, firstName: "Ada", lastName: "Byron", npi: "1234567893" })
    const window = yield* (yield* Browser).open()
    const header = window.page.getByRole("region", { name: "Patient and case" })
    const timeline = window.page.getByRole("region", { name: "Timeline" })

    yield* onPage(window, async (page) => {
      await page.goto("/console/queue")
      await signInFirst(page, email)
      await titled(page, "Queue")
      assert.strictEqual(pathOf(page), "/console/queue")
      await page.getByRole("link", { name: "Maria Lopez" }).focus()
      await page.keyboard.press("c")
      await page
        .getByRole("status")
        .getByText(/is yours/)
        .waitFor()
      await page.keyboard.press("Enter")
      await page.waitForURL(`**/console/cases/${caseId}`)
      await press(page, "Start work")
      await header.getByText("In progress").waitFor()

      await press(page, "Comment")
      await page.getByText("The patient and the partner").click()
      await page.getByRole("textbox", { name: "Comment to Maria Lopez" }).fill("How are you?")
      await press(page, "Send to Maria")
      await timeline.getByText("How are you?").waitFor()

      await press(page, "Decide")
      await page.getByText("Approve", { exact: true }).click()
      await press(page, "Add a medicine")
      await page.getByRole("textbox", { name: "Medicine", exact: true }).fill("Semaglutide")
      await page.getByRole("textbox", { name: "Dosage" }).fill("0.25 mg")
      await page.getByRole("textbox", { name: "Refills" }).fill("2")
      await page.getByRole("form", { name: "Decide" }).getByRole("button", { name: "Approve" }).click()
      const confirmation = page.getByRole("dialog", { name: "Approve for Maria Lopez?" })
      await confirmation.getByText("Semaglutide 0.25 mg").waitFor()
      await confirmation.getByRole("button", { name: "Approve" }).click()
      await header.getByText("Approved").waitFor()
    })
    const read = yield* call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key: clinic.key })
    assert.strictEqual(read.json.caseDetail.status, "APPROVED")

    const orderId: string = (yield* placeOrder(clinic, caseId)).json.data.order.id
    yield* jobsDone("cases", "order-hand-over")
    const step = window.page.getByRole("region", { name: "Orders" }).locator("[aria-current=step]")
    yield* onPage(window, async (page) => {
      await page.reload()
      await step.getByText("Accepted").waitFor()
    })
    yield* admin("PATCH", `/orders/${orderId}`, { status: "SHIPPED", trackingId: "1Z999" })
    yield* onPage(window, async (page) => {
      await page.reload()
      await step.getByText("Shipped").waitFor()
      await seen(page, /1Z999/)
    })

    yield* saveMethod(clinic, caseId, "pm_card_visa")
    const body = { amount: 299, description: "Second month", preauthorize: true }
    yield* call("POST", `/api/v1/cases/${caseId}/payments`, { key: clinic.key, body })
    const administrator = yield* signedIn(clinic, "ADMIN", { path: "/payments" })
    yield* onPage(administrator, async (page) => {
      await page.getByRole("link", { name: "Second month" }).click()
      await press(page, "Capture")
      await press(page, /^Capture 299\.00.USD$/)
      await page.getByRole("button", { name: "Refund", exact: true }).waitFor()
    })
    // A passkey counts for five minutes.
    yield* (yield* SuiteTime).advance("6 minutes")
    yield* onPage(administrator, async (page) => {
      await press(page, "Refund")
      await press(page, /^Refund 299\.00.USD$/)
      await page.getByRole("dialog", { name: "Use your passkey" }).getByRole("button", { name: "Use passkey" }).click()
      await page
        .getByRole("region", { name: "At the payment gateway" })
        .getByText(/299\.00.USD/)
        .nth(1)
        .waitFor()
    })
    const { json } = yield* admin("GET", `/payments?caseId=${caseId}`)
    assert.deepInclude(json.data[0], { status: "REFUND" })
    assert.deepInclude(json.data[0].gateway, { received: 299, refunded: 299 })
  })
})
