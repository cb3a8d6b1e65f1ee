import { assert } from "@effect/vitest"
import { Webhook } from "standardwebhooks"
import { admin, call } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { makeClinic } from "../harness/fixtures.ts"
import { receiveEvents } from "../harness/receiveEvents.ts"
import { testsOn } from "../harness/testsOn.ts"
import { until } from "../harness/until.ts"

testsOn(sharedConsole, "a developer of a partner in the console", (it) => {
  it("issues a key, adds an endpoint, sees why a test event failed, mends the address, and sends it again", function* () {
    const clinic = yield* makeClinic
    const broken = yield* receiveEvents
    broken.answer.status = 500
    const working = yield* receiveEvents
    const window = yield* signedIn(clinic, "DEVELOPER")
    const shown = yield* onPage(window, async (page) => {
      const secretOf = async () => {
        const secret = await page.getByRole("dialog").locator("code").textContent()
        await page.getByRole("button", { name: "I have it" }).click()
        return secret ?? ""
      }
      const press = (name: string) => page.getByRole("button", { name, exact: true }).click()
      await seen(page, "Webhooks")
      const links = page.getByRole("navigation", { name: "Main" }).getByRole("link")
      assert.deepStrictEqual(await links.allTextContents(), [
        "Start",
        "Webhooks",
        "Request log",
        "Event types",
        "Organizations",
        "Your account"
      ])

      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Organizations" }).click()
      await page.getByRole("link", { name: "API keys" }).click()
      await press("Issue a key")
      await page.getByLabel("Label").fill("Shop")
      await page.getByText("Only these").click()
      await press("Issue")
      await page.getByText("Tick at least one, or choose “Everything”.").waitFor()
      await page.getByText("webhooks:read").click()
      await page.getByText("Tick at least one").waitFor({ state: "detached" })
      await press("Issue")
      await seen(page, "Your new API key")
      const key = await secretOf()

      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Webhooks" }).click()
      await press("Add an endpoint")
      await page.getByLabel("Address").fill("nowhere")
      await press("Add")
      await seen(page, /url/i)
      await page.getByLabel("Address").fill(broken.url)
      await page.getByText("Only these").click()
      await press("Add")
      await page.getByText("Tick at least one, or choose “All, also those to come”.").waitFor()
      await page.getByText("All, also those to come", { exact: true }).click()
      await press("Add")
      await seen(page, "The secret of the endpoint")
      const secret = await secretOf()

      await page.getByRole("link", { name: broken.url }).click()
      await press("Send a test event")
      await page.getByRole("link", { name: "ping" }).click()
      await page.getByRole("region", { name: "Attempts" }).getByText("Status 500").first().waitFor()
      await page.getByRole("link", { name: "All deliveries to the endpoint" }).click()

      await press("Change")
      await page.getByLabel("Address").fill(working.url)
      await press("Save")
      await seen(page, working.url)
      await page.getByRole("link", { name: "ping" }).click()
      await press("Send again")
      await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click()
      await page.getByRole("region", { name: "Attempts" }).getByText("Status 204").first().waitFor()
      return { key, secret }
    })
    assert.strictEqual((yield* call("GET", "/api/v1/webhook-endpoints", { key: shown.key })).status, 200)
    const refused = yield* call("GET", "/api/v1/products", { key: shown.key })
    assert.strictEqual(refused.status, 403)
    // Its log line is there, and leads to what to do.
    yield* onPage(window, async (page) => {
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Request log" }).click()
      await page.getByLabel("Request id").fill(refused.headers.get("x-request-id") ?? "")
      await page.getByText("GET /api/v1/products").waitFor()
      const link = page.getByRole("link", { name: "SCOPE_MISSING" })
      assert.strictEqual(await link.getAttribute("href"), "/docs/errors#SCOPE_MISSING")
    })
    for (const { body, headers } of [broken.received[0], working.received[0]].flatMap((event) => event ?? [])) {
      assert.deepInclude(new Webhook(shown.secret).verify(body, headers), { type: "ping" })
    }
    assert.strictEqual(broken.received[0]?.headers["webhook-id"], working.received[0]?.headers["webhook-id"])
  })

  it("sees on the start how many requests were sent and refused on each of seven days", function* () {
    const { key, organizationId } = yield* makeClinic
    yield* call("GET", "/api/v1/products", { key })
    yield* call("GET", "/api/v1/cases?status=NONE", { key })
    yield* until(admin("GET", `/request-logs/days?organizationId=${organizationId}`), ({ json }) =>
      json.data.some(({ requests }: { requests: number }) => requests === 2)
    )
    const window = yield* signedIn({ organizationId }, "DEVELOPER")
    yield* onPage(window, async (page) => {
      const days = page.getByRole("list", { name: "Requests of each day" }).getByRole("listitem")
      await days.last().waitFor()
      const texts = await days.locator(".sr-only").allTextContents()
      assert.lengthOf(texts, 7)
      assert.lengthOf(
        texts.filter((text) => / 2 requests, 1 refused, 0 failed$/.test(text)),
        1
      )
      await page.getByText("The numbers as a table").click()
      const rows = page.getByRole("table", { name: "Requests by day" }).getByRole("row")
      assert.strictEqual(await rows.count(), 8)
      await page.getByRole("link", { name: "All requests" }).click()
      await page.getByRole("link", { name: "GET /api/v1/products" }).click()
      await page.getByText("Only GET /api/v1/products.").waitFor()
      const requests = page.getByRole("table", { name: "Requests" }).getByRole("row")
      await page.getByRole("link", { name: "GET /api/v1/cases" }).waitFor({ state: "detached" })
      await requests.getByRole("link", { name: "GET /api/v1/products" }).waitFor()
      assert.strictEqual(await requests.count(), 2)
      await page.getByRole("link", { name: "Show all requests" }).click()
      await page.getByRole("link", { name: "GET /api/v1/cases" }).waitFor()
    })
  })

  it("pauses an endpoint, makes it a new secret, and deletes it after a question that names it", function* () {
    const clinic = yield* makeClinic
    const { url } = yield* receiveEvents
    const added = yield* call("POST", "/api/v1/webhook-endpoints", { key: clinic.key, body: { url } })
    const window = yield* signedIn(clinic, "DEVELOPER", { path: `/webhooks/${added.json.data.id}` })
    const secret = yield* onPage(window, async (page) => {
      const dialog = page.getByRole("dialog")
      const confirm = async (name: string, action = name) => {
        await page.getByRole("button", { name, exact: true }).click()
        await dialog.getByText(url).waitFor()
        await dialog.getByRole("button", { name: action }).click()
      }
      await confirm("Pause")
      await page.getByRole("button", { name: "Enable", exact: true }).waitFor()
      assert.isTrue(await page.getByRole("button", { name: "Send a test event" }).isDisabled())
      await confirm("Enable")
      await page.getByRole("button", { name: "Pause", exact: true }).waitFor()
      await confirm("New secret", "Make it")
      await seen(page, "The new secret")
      const text = await dialog.locator("code").textContent()
      await page.getByRole("button", { name: "I have it" }).click()
      await confirm("Delete")
      await seen(page, "No webhook endpoints")
      return text
    })
    assert.match(secret ?? "", /^whsec_/)
    assert.notStrictEqual(secret, added.json.data.secret)
    const { json } = yield* call("GET", "/api/v1/webhook-endpoints", { key: clinic.key })
    assert.lengthOf(json.data, 0)
  })

  it("changes what a key may do, and rotates it", function* () {
    const clinic = yield* makeClinic
    const window = yield* signedIn(clinic, "DEVELOPER", { path: `/organizations/${clinic.organizationId}/keys` })
    const rotated = yield* onPage(window, async (page) => {
      await page.getByRole("button", { name: /^Change/ }).click()
      await page.getByText("Only these").click()
      await page.getByText("catalogue:read").click()
      await page.getByLabel("Allowed networks").fill("nowhere")
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByRole("alert").waitFor()
      await page.getByLabel("Allowed networks").fill("127.0.0.0/8\n::1/128")
      await page.getByRole("button", { name: "Save" }).click()
      await seen(page, "From 127.0.0.0/8, ::1/128")
      await page.getByRole("button", { name: /^Rotate/ }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click()
      await seen(page, "Your new API key")
      const key = await page.getByRole("dialog").locator("code").textContent()
      await page.getByRole("button", { name: "I have it" }).click()
      return key ?? ""
    })
    assert.strictEqual((yield* call("GET", "/api/v1/products", { key: rotated })).status, 200)
    assert.strictEqual((yield* call("GET", "/api/v1/webhook-endpoints", { key: rotated })).status, 403)
  })
})
