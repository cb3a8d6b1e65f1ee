import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { caseBody, createCase, makeClinic } from "../harness/fixtures.ts"
import { saveMethod } from "../harness/saveMethod.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(sharedConsole, "payments in the console", (it) => {
  const heldPayment = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    yield* saveMethod(clinic, caseId, "pm_card_visa")
    const created = yield* call("POST", `/api/v1/cases/${caseId}/payments`, {
      key: clinic.key,
      body: { amount: 299, description: "Second month", preauthorize: true }
    })
    const paymentId: string = created.json.data.result.paymentId
    const stored = Effect.map(admin("GET", `/payments/${paymentId}`), ({ json }) => json)
    return { clinic, paymentId, stored }
  })

  it("captures a part and refunds a part, with the amounts in words, once for a double click", function* () {
    const { clinic, stored } = yield* heldPayment
    const window = yield* signedIn(clinic, "ADMIN", { path: "/payments" })
    yield* onPage(window, async (page) => {
      await page.getByRole("link", { name: "Second month" }).click()
      await page.getByRole("button", { name: "Capture", exact: true }).click()
      await page.getByLabel("Amount in USD").fill("300")
      await seen(page, /At most 299\.00.USD is possible/)
      assert.isTrue(await page.getByRole("button", { name: "Capture", exact: true }).last().isDisabled())
      await page.getByLabel("Amount in USD").fill("200")
      await seen(page, /Capture 200\.00.USD of 299\.00.USD from the card of Maria Lopez's case \w+\?/)
      await seen(page, /The rest, 99\.00.USD, is released/)
      await page.getByRole("button", { name: /^Capture 200\.00.USD$/ }).dblclick()
      await page.getByRole("button", { name: "Refund", exact: true }).click()
      await page.getByLabel("Amount in USD").fill("120.5")
      await seen(page, /Refund 120\.50.USD of 200\.00.USD to the card of Maria Lopez's case \w+\?/)
      await page.getByRole("button", { name: /^Refund 120\.50.USD$/ }).dblclick()
      await page.getByRole("dialog").waitFor({ state: "detached" })
      await page
        .getByRole("region", { name: "At the payment gateway" })
        .getByText(/120\.50.USD/)
        .waitFor()
      await page.getByRole("link", { name: "Payments", exact: true }).click()
      await page.getByRole("row", { name: /Second month.*Refunded.*120\.50.USD/ }).waitFor()
    })
    const { gateway, status } = yield* stored
    assert.deepInclude(gateway, { received: 200, refunded: 120.5 })
    assert.strictEqual(status, "REFUND")
  })

  it("releases a held payment after a confirmation that names the amount", function* () {
    const { clinic, paymentId, stored } = yield* heldPayment
    const window = yield* signedIn(clinic, "ADMIN", { path: `/payments/${paymentId}`, width: 375 })
    yield* onPage(window, async (page) => {
      await page.getByRole("button", { name: "Release", exact: true }).click()
      await seen(page, /Release 299\.00.USD that is held on the card of Maria Lopez's case/)
      await page.getByRole("button", { name: /^Release 299\.00.USD$/ }).click()
      await page.getByText("Canceled").waitFor()
    })
    assert.strictEqual((yield* stored).status, "CANCELED")
  })

  it("filters by status, and says what to do when nothing fits", function* () {
    const { clinic } = yield* heldPayment
    const window = yield* signedIn(clinic, "ADMIN", { path: "/payments?status=PAID" })
    yield* onPage(window, async (page) => {
      await seen(page, "No payment fits these filters")
      await page.getByRole("button", { name: /Status/ }).click()
      await page.getByRole("option", { name: "Held" }).click()
      await page.getByRole("link", { name: "Second month" }).waitFor()
    })
  })
})
