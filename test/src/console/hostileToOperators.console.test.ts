import { randomUUID } from "node:crypto"
import { serveListener } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { admin, call } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { harm } from "../harness/console/harm.ts"
import { hostileName, hostileText } from "../harness/console/hostileClinic.ts"
import { onPage } from "../harness/console/onPage.ts"
import { signedInOperator } from "../harness/console/signedIn.ts"
import { inDatabase } from "../harness/database.ts"
import { addStaff, caseBody, createCase, makeClinic, newPatient } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"
import { until } from "../harness/until.ts"

const marker = "W".repeat(30)

// What is long, and what looks like a control character.
const longText = `${marker} \u{1f469}\u200d\u{2695}\ufe0f \\u0000\u2400\ufffd ${"L".repeat(5000)} ${hostileText}`
const label = `${marker}<b>\u{1f469}\u200d\u{2695}\ufe0f \u202eevil`
const promoCode = `<b>${marker}</b>${"L".repeat(200)}`

testsOn(sharedConsole, "hostile texts on the screens of operators", (it) => {
  const makeHostile = Effect.gen(function* () {
    const { url } = yield* serveListener((request, response) => {
      request.resume()
      response.writeHead(500, { "content-type": "text/html" }).end(`${marker}<script>alert(3)</script>\0${longText}`)
    })
    const clinic = yield* makeClinic
    const { organizationId } = clinic
    const write = (method: string, path: string, body: object) =>
      admin(method, `/organizations/${organizationId}${path}`, body)
    const answers = [
      yield* write("PATCH", "", { name: hostileName }),
      yield* write("POST", "/api-keys", { label }),
      yield* write("POST", "/products", { name: hostileText }),
      yield* admin("POST", "/promo-codes", { organizationId, code: promoCode, flatDiscount: 5 })
    ]
    const person = { firstName: hostileName, lastName: marker }
    yield* addStaff(clinic, { ...person, npi: "1234567893" })
    yield* createCase(clinic, caseBody(clinic, { isTest: true, user: { ...newPatient(), ...person } }))
    const endpointUrl = `${url}/?${marker}&q=%3Cb%3E&l=${"L".repeat(1500)}`
    const endpoint = yield* call("POST", "/api/v1/webhook-endpoints", {
      key: clinic.key,
      body: { url: endpointUrl, eventTypes: ["ping"] }
    })
    const endpointId = String(endpoint.json.data.id)
    const tested = yield* call("POST", `/api/v1/webhook-endpoints/${endpointId}/test`, { key: clinic.key })
    const deliveries = `/webhook-endpoints/${endpointId}/deliveries`
    const delivered = yield* until(admin("GET", deliveries), ({ json }) => json.data[0]?.attempts.length > 0)
    yield* inDatabase(
      "cases",
      (sql) => sql`
        INSERT INTO cases.jobs (
          id, queue_name, organization_id, version, payload, request_id, state, due_at, ended_at, last_failure
        )
        VALUES (${randomUUID()}, 'retired', ${organizationId}, 1, decode('026b31', 'hex'), ${label}, 'failed', now(), now(), ${longText})
      `
    )
    return {
      organizationId,
      endpointId,
      deliveryId: String(delivered.json.data[0].id),
      answers: [...answers, endpoint, tested]
    }
  })

  it("are shown as texts, and no page is wider than the window", function* () {
    const { answers, deliveryId, endpointId, organizationId } = yield* makeHostile
    for (const { json, status } of answers) assert.isBelow(status, 300, JSON.stringify(json))
    const parts = ["overview", "keys", "members", "products", "promo-codes"]
    const withoutTexts = ["/audit", "/health", `/webhooks/${endpointId}`]
    const found: Array<string> = []
    const window = yield* signedInOperator("/account", { width: 375 })
    const look = async (page: Page, path: string) => {
      await page.goto(`/console${path}`)
      await page.getByRole("heading", { level: 1 }).waitFor()
      if (!withoutTexts.includes(path)) await page.getByRole("main").filter({ hasText: "WWWW" }).waitFor()
      await page.waitForLoadState("networkidle")
      const harms: ReadonlyArray<string> = await page.evaluate(harm)
      found.push(...harms.map((each) => `${path}: ${each}`))
    }
    yield* onPage(window, async (page) => {
      page.on("dialog", (dialog) => {
        found.push(`${page.url()}: a dialog`)
        return dialog.dismiss()
      })
      await page.getByRole("heading", { level: 1 }).waitFor()
      await page.evaluate(`sessionStorage.setItem("care-organization", "${organizationId}")`)
      for (const path of [
        ...parts.map((part) => `/organizations/${organizationId}/${part}`),
        "/webhooks",
        `/webhooks/${endpointId}`,
        `/webhooks/${endpointId}/${deliveryId}`,
        "/jobs",
        "/audit",
        "/queue",
        "/health"
      ]) {
        await look(page, path)
      }
      assert.include(await page.locator("body").textContent(), hostileName, "the organization that was chosen")
      await page.evaluate(`sessionStorage.removeItem("care-organization")`)
      for (const path of ["/jobs", "/audit"]) await look(page, path)
      await page.goto(`/console/organizations/${organizationId}/promo-codes`)
      await page
        .getByRole("button", { name: /^Disable/ })
        .first()
        .click()
      await page.getByRole("dialog").filter({ hasText: "WWWW" }).waitFor()
      found.push(...(await page.evaluate<ReadonlyArray<string>>(harm)).map((each) => `a confirmation: ${each}`))
      await page.goto(`/console/organizations/${organizationId}/keys`)
      await page
        .getByRole("button", { name: /^Revoke W/ })
        .first()
        .click()
      await page.getByRole("dialog").filter({ hasText: "WWWW" }).waitFor()
      found.push(...(await page.evaluate<ReadonlyArray<string>>(harm)).map((each) => `a confirmation: ${each}`))
    })
    assert.deepStrictEqual(found, [])
  }, 120_000)
})
