import { assert } from "@effect/vitest"
import { admin, call } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { press, titled } from "../harness/console/screenSteps.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { addEndpoint } from "../harness/endpoints.ts"
import { caseBody, createCase, makeClinic } from "../harness/fixtures.ts"
import { receiveEvents } from "../harness/receiveEvents.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(sharedConsole, "what the care team settles for a partner", (it) => {
  it("an escalation of a partner is completed from the list, and the partner is told; the delivery is sent again", function* () {
    const clinic = yield* makeClinic
    const { answer, arrived, received, url } = yield* receiveEvents
    const eventTypes = ["case.escalation.completed"]
    yield* addEndpoint(clinic, { url, eventTypes })
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const escalations = [{ type: "support", title: "Cancellation", note: "Wants to cancel" }]
    const body = { action: "ADD_ESCALATION", escalations }
    yield* call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body })
    const support = yield* signedIn(clinic, "SUPPORT", { path: "/escalations" })
    yield* onPage(support, async (page) => {
      await seen(page, "Wants to cancel")
      await page.getByRole("button", { name: /^Complete “Cancellation”/ }).click()
      const dialog = page.getByRole("dialog")
      await dialog.getByText(/“Cancellation” of Maria Lopez/).waitFor()
      await dialog.getByRole("button", { name: "Complete" }).click()
      await seen(page, "No escalation is open")
    })
    const [escalation] = (yield* admin("GET", `/cases/${caseId}/escalations`)).json.data
    assert.isTrue(escalation.isCompleted)
    yield* arrived(1)

    answer.status = 500
    const administrator = yield* signedIn(clinic, "ADMIN", { path: "/webhooks" })
    yield* onPage(administrator, async (page) => {
      await page.getByRole("link", { name: url }).click()
      await page.getByRole("link", { name: "case.escalation.completed" }).click()
      await titled(page, "Webhook delivery")
      await page.getByRole("region", { name: "Delivery" }).getByText("Delivered").waitFor()
      await press(page, "Send again")
      const dialog = page.getByRole("dialog", { name: "Send the event again" })
      await dialog.getByText(url).waitFor()
      await dialog.getByRole("button", { name: "Send again" }).click()
      await dialog.waitFor({ state: "detached" })
    })
    yield* arrived(2)
    yield* onPage(administrator, async (page) => {
      await page.reload()
      await page.getByRole("region", { name: "Delivery" }).getByText("Pending").waitFor()
      await page.getByRole("region", { name: "Attempts" }).getByText(/500/).first().waitFor()
    })
    answer.status = 204
    const ids = received.map(({ headers }) => headers["webhook-id"])
    assert.strictEqual(ids[0], ids[1])
    assert.deepInclude(JSON.parse(received[1]?.body ?? "").data, { escalationId: escalation.id })
  })
})
