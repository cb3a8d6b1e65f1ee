import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { signedIn, signedInOperator } from "../harness/console/signedIn.ts"
import { jobsDone } from "../harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "../harness/fixtures.ts"
import { placeOrder } from "../harness/placeOrder.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(sharedConsole, "the start, escalations and orders in error of the console", (it) => {
  const makeCase = Effect.fnUntraced(function* (clinic: Clinic) {
    const { user, ...body } = caseBody(clinic)
    const { json } = yield* createCase(clinic, { ...body, user: { ...user, firstName: "Maria", lastName: "Lopez" } })
    return String(json.data.caseId)
  })
  const addEscalation = (clinic: Clinic, caseId: string, changes: object = {}) =>
    call("POST", `/api/v1/cases/${caseId}`, {
      key: clinic.key,
      body: { action: "ADD_ESCALATION", escalations: [{ type: "support", title: "Cancellation", ...changes }] }
    })

  it("the start counts what there is to do, and leads there", function* () {
    const clinic = yield* makeClinic
    yield* addEscalation(clinic, yield* makeCase(clinic))
    const support = yield* signedIn(clinic, "SUPPORT")
    yield* onPage(support, async (page) => {
      await page.getByRole("link", { name: "Open escalations 1" }).click()
      await page.getByRole("heading", { name: "Escalations", level: 1 }).waitFor()
      await page.getByRole("link", { name: "Maria Lopez" }).waitFor()
    })
  })

  it("who may not read the counts gets the screens, and operators who look at all organizations where something is wrong", function* () {
    const clinic = yield* makeClinic
    yield* onPage(yield* signedIn(clinic, "THIRD_PARTY_ADMIN"), (page) =>
      page.getByRole("main").getByRole("link", { name: "Escalations" }).waitFor()
    )
    yield* onPage(yield* signedInOperator("/"), (page) => seen(page, "Organizations with troubles"))
  })

  it("escalations are listed by whose they are, and completed after a confirmation that names them", function* () {
    const clinic = yield* makeClinic
    const support = yield* signedIn(clinic, "SUPPORT", { path: "/escalations" })
    const thirdParty = yield* signedIn(clinic, "THIRD_PARTY_ADMIN", { path: "/escalations?show=mine" })
    const caseId = yield* makeCase(clinic)
    yield* addEscalation(clinic, caseId, { note: "She <b>called</b> twice" })
    yield* addEscalation(clinic, caseId, { type: "clinical", title: "Lab Review", assignedToEmail: thirdParty.email })
    const { shortId } = (yield* admin("GET", `/cases/${caseId}`)).json
    yield* onPage(thirdParty, async (page) => {
      await page.reload()
      await page.getByRole("row").filter({ hasText: "Lab Review" }).getByText("You").waitFor()
      assert.strictEqual(await page.getByText("Cancellation").count(), 0)
    })
    yield* onPage(support, async (page) => {
      await page.getByRole("link", { name: "Nobody’s" }).click()
      await seen(page, "She <b>called</b> twice")
      assert.strictEqual(await page.getByText("Lab Review").count(), 0)
      await page.getByRole("button", { name: /Complete “Cancellation”/ }).click()
      const window = page.getByRole("dialog")
      await window.getByText(`“Cancellation” of Maria Lopez, case ${shortId}`).waitFor()
      await window.getByRole("button", { name: "Complete" }).click()
      await seen(page, "Every open escalation has somebody")
    })
    const { json } = yield* admin("GET", `/escalations?organizationId=${clinic.organizationId}`)
    assert.deepStrictEqual(
      json.data.map(({ title }: { readonly title: string }) => title),
      ["Lab Review"]
    )
  })

  it("an order in error says why, and is changed in two steps", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* makeCase(clinic)
    const orderId = (yield* placeOrder(clinic, caseId)).json.data.order.id
    yield* jobsDone("cases", "order-hand-over")
    yield* admin("PATCH", `/orders/${orderId}`, { status: "ERROR", message: "Out of stock" })
    const support = yield* signedIn(clinic, "SUPPORT", { path: "/orders" })
    yield* onPage(support, async (page) => {
      await page.getByRole("row").filter({ hasText: "Maria Lopez" }).getByText("Out of stock").waitFor()
      await page.getByRole("button", { name: /Change the order of Maria Lopez/ }).click()
      const window = page.getByRole("dialog")
      assert.isTrue(await window.getByRole("button", { name: "Next" }).isDisabled())
      await window.getByRole("button", { name: /Status/ }).click()
      await page.getByRole("option", { name: "Canceled" }).waitFor()
      assert.deepStrictEqual(await page.getByRole("option").allTextContents(), [
        "Still in error",
        "Submitted",
        "Shipped",
        "Delivered",
        "Canceled"
      ])
      await page.getByRole("option", { name: "Shipped" }).click()
      await window.getByLabel("Tracking number").fill("1Z999")
      await window.getByLabel("Tracking link").fill("javascript:alert(1)")
      await window.getByRole("button", { name: "Next" }).click()
      await window.getByText("Write the whole link").waitFor()
      await window.getByLabel("Tracking link").fill("https://track.example.com/1Z999")
      await window.getByRole("button", { name: "Next" }).click()
      await window.getByText(/Maria Lopez, case .* becomes “Shipped”/).waitFor()
      await window.getByRole("button", { name: "Change the order" }).click()
      await seen(page, "No order is in error")
    })
    const [order] = (yield* admin("GET", `/cases/${caseId}/orders`)).json.data
    const trackingUrl = "https://track.example.com/1Z999"
    assert.deepInclude(order, { status: "SHIPPED", trackingId: "1Z999", trackingUrl })
  })
})
