import { currentVersion } from "@care/domain/versions"
import { assert } from "@effect/vitest"
import { admin, call } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { focused } from "../harness/console/keyboard.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { signedIn, signedInOperator } from "../harness/console/signedIn.ts"
import { addStaff, caseBody, createCase, makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(sharedConsole, "an organization in the console", (it) => {
  const partOf = (organizationId: string, part: string) => `/organizations/${organizationId}/${part}`

  it("is created and found by an operator, who disables it after a question that names it", function* () {
    const window = yield* signedInOperator("/organizations")
    const name = `Willow ${Math.trunc(performance.timeOrigin)}`
    yield* onPage(window, async (page) => {
      await page.getByRole("button", { name: "New organization" }).click()
      await page.getByRole("button", { name: "Create" }).click()
      await seen(page, "must not be empty")
      await focused(page.getByLabel("Name"))
      await page.getByLabel("Name").fill(name)
      await page.getByLabel("Contact email").fill("owner@willow.example.com")
      await page.getByRole("button", { name: "Create" }).click()
      await page.getByRole("heading", { level: 1, name }).waitFor()

      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Organizations" }).click()
      await page.getByRole("searchbox", { name: "Search", exact: true }).fill(name.toLowerCase())
      await seen(page, "1 organization found")
      await page.getByRole("link", { name }).click()

      await page.getByRole("button", { name: "Disable" }).click()
      const dialog = page.getByRole("dialog", { name: "Disable the organization?" })
      await dialog.getByText(name).waitFor()
      await dialog.getByRole("button", { name: "Disable" }).click()
      await page.getByRole("button", { name: "Enable" }).waitFor()
    })
  })

  it("lets its administrator change its settings, and gives others only what they may read", function* () {
    const clinic = yield* makeClinic
    const window = yield* signedIn(clinic, "ADMIN", { path: "/organizations" })
    yield* onPage(window, async (page) => {
      await page.getByLabel("Contact email").fill("not an email")
      await page.getByRole("button", { name: "Save" }).click()
      await seen(page, "must be a valid email")
      await page.getByLabel("Contact email").fill("owner@clinic.example.com")
      await page.getByText("Support may read patients' answers").click()
      await page.getByRole("button", { name: "Save" }).click()
      await seen(page, "Settings saved")
      assert.strictEqual(await page.getByRole("button", { name: "Disable" }).count(), 0)
      const version = page.getByRole("link", { name: currentVersion })
      assert.strictEqual(await version.getAttribute("href"), "/docs/changelog")
    })
    const { json } = yield* admin("GET", `/organizations/${clinic.organizationId}`)
    assert.deepInclude(json, { contactEmail: "owner@clinic.example.com", supportMayReadAnswers: true })
    const provider = yield* signedIn(clinic, "PROVIDER", { path: partOf(clinic.organizationId, "products") })
    yield* onPage(provider, async (page) => {
      await seen(page, "Semaglutide program")
      assert.strictEqual(await page.getByRole("button", { name: /^(Add|Change|Archive)/ }).count(), 0)
      const parts = page.getByRole("navigation", { name: "Parts of the organization" }).getByRole("link")
      assert.deepStrictEqual(await parts.allTextContents(), ["Overview", "Members", "Products", "Forms", "Bundles"])
      await page.goto(`/console${partOf(clinic.organizationId, "keys")}`)
      await seen(page, "There is no such page")
    })
  })

  it("shows a new key once, and revokes it after a question that names its label", function* () {
    const clinic = yield* makeClinic
    const window = yield* signedIn(clinic, "ADMIN", { path: partOf(clinic.organizationId, "keys") })
    const key = yield* onPage(window, async (page) => {
      await page.getByRole("button", { name: "Issue a key" }).click()
      await page.getByLabel("Label").fill("Intake server")
      await page.getByRole("button", { name: "Issue", exact: true }).click()
      const dialog = page.getByRole("dialog", { name: "Your new API key" })
      const issued = await dialog.getByText(/^cv_/).textContent()
      await page.keyboard.press("Escape")
      assert.isTrue(await dialog.isVisible())
      await dialog.getByRole("button", { name: "I have it" }).click()
      await page.getByRole("row", { name: /Intake server/ }).waitFor()
      assert.notInclude(await page.content(), issued ?? "")
      return issued ?? ""
    })
    assert.strictEqual((yield* call("GET", "/api/v1/organization/bundles", { key })).status, 200)
    yield* onPage(window, async (page) => {
      await page.getByRole("button", { name: "Revoke Intake server" }).click()
      const dialog = page.getByRole("dialog", { name: "Revoke the key?" })
      await dialog.getByText("Intake server").waitFor()
      await dialog.getByRole("button", { name: "Revoke" }).click()
      await page.getByRole("row", { name: /Intake server/ }).waitFor({ state: "detached" })
      await page.getByRole("button", { name: "Which keys" }).click()
      await page.getByRole("option", { name: "Ended keys" }).click()
      await page.getByRole("row", { name: /Intake server.*Revoked/ }).waitFor()
      assert.strictEqual(await page.getByRole("button", { name: /Intake server/ }).count(), 0)
    })
  })

  it("adds and changes a member, resets their sign-in, and deletes them", function* () {
    const clinic = yield* makeClinic
    const path = partOf(clinic.organizationId, "members")
    const window = yield* signedIn(clinic, "ADMIN", { path, person: { firstName: "Ada", lastName: "Byron" } })
    yield* onPage(window, async (page) => {
      await page.getByRole("button", { name: "Add a member" }).click()
      await page.getByLabel("Email").fill(`grace.${clinic.organizationId}@clinic.example.com`)
      await page.getByLabel("First name").fill("Grace")
      await page.getByLabel("Last name").fill("Murray")
      await page.getByLabel("NPI").fill("1234567893")
      await page.getByLabel("Licensed in").fill("CA, Nowhere")
      await page.getByRole("button", { name: "Add", exact: true }).click()
      await seen(page, "must be the 2-letter code of a US state")
      await page.getByLabel("Licensed in").fill("ca ny")
      await page.getByRole("button", { name: "Add", exact: true }).click()
      await page.getByRole("row", { name: /Grace Murray.*CA, NY/ }).waitFor()

      await page.getByRole("button", { name: "Change Grace Murray" }).click()
      await page.getByRole("button", { name: /Role/ }).click()
      await page.getByRole("option", { name: "Support" }).click()
      await seen(page, "They will be no provider any more")
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByRole("row", { name: /Grace Murray.*Support/ }).waitFor()

      await page.getByRole("button", { name: "Sessions Grace Murray" }).click()
      await seen(page, "They are not signed in")
      await page.keyboard.press("Escape")

      await page.getByRole("button", { name: "Reset sign-in Grace Murray" }).click()
      const reset = page.getByRole("dialog", { name: "Reset the sign-in?" })
      await reset.getByText("Grace Murray").waitFor()
      await reset.getByRole("button", { name: "Reset sign-in" }).click()
      await seen(page, "Grace Murray has to enrol a passkey again")

      await page.getByRole("button", { name: "Delete Grace Murray" }).click()
      const deletion = page.getByRole("dialog", { name: "Delete the member?" })
      await deletion.getByText("Grace Murray").waitFor()
      await deletion.getByRole("button", { name: "Delete" }).click()
      await page.getByRole("row", { name: /Grace Murray/ }).waitFor({ state: "detached" })
      await page.getByRole("button", { name: /Which members/ }).click()
      await page.getByRole("option", { name: "Deleted members" }).click()
      await page.getByRole("row", { name: /Grace Murray/ }).waitFor()
    })
  })

  it("ends the session of a member", function* () {
    const clinic = yield* makeClinic
    const person = { firstName: "Sam", lastName: "Cole" }
    yield* signedIn(clinic, "SUPPORT", { person })
    const window = yield* signedIn(clinic, "ADMIN", { path: partOf(clinic.organizationId, "members") })
    yield* onPage(window, async (page) => {
      await page.getByRole("button", { name: "Sessions Sam Cole" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "End", exact: true }).click()
      await seen(page, "They are not signed in")
    })
  })

  it("adds products, bundles and promo codes, changes and archives them", function* () {
    const clinic = yield* makeClinic
    const { organizationId } = clinic
    const window = yield* signedIn(clinic, "ADMIN", { path: partOf(organizationId, "products") })
    yield* onPage(window, async (page) => {
      await page.getByRole("button", { name: "Add a product" }).click()
      await page.getByLabel("Name").fill("Tirzepatide program")
      await page.getByLabel("Price").fill("free")
      await page.getByRole("button", { name: "Add", exact: true }).click()
      await seen(page, "must be a decimal")
      await page.getByLabel("Price").fill("399")
      await page.getByRole("button", { name: "Add", exact: true }).click()
      await page.getByRole("row", { name: /Tirzepatide program 399/ }).waitFor()
      await page.getByRole("button", { name: "Change Tirzepatide program" }).click()
      await page.getByLabel("Price").fill("349.50")
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByRole("row", { name: /349\.50 USD/ }).waitFor()

      const parts = page.getByRole("navigation", { name: "Parts of the organization" })
      await parts.getByRole("link", { name: "Bundles" }).click()
      await page.getByRole("button", { name: "Add a bundle" }).click()
      await page.getByLabel("Name").fill("Weight management")
      await page.getByLabel("Price", { exact: true }).fill("299.00")
      await page.getByRole("group", { name: "Products" }).getByText("Tirzepatide program").click()
      await page.getByRole("button", { name: "Add", exact: true }).click()
      await page.getByRole("row", { name: /Weight management.*1 product.*On offer.*299\.00 USD/ }).waitFor()

      await parts.getByRole("link", { name: "Products" }).click()
      await page.getByRole("button", { name: "Archive Tirzepatide program" }).click()
      const archive = page.getByRole("dialog", { name: "Archive the product?" })
      await archive.getByText("Tirzepatide program").waitFor()
      await archive.getByRole("button", { name: "Archive" }).click()
      await page.getByRole("row", { name: /Tirzepatide/ }).waitFor({ state: "detached" })

      await parts.getByRole("link", { name: "Bundles" }).click()
      await page.getByRole("button", { name: "Change Weight management" }).click()
      await page.getByRole("group", { name: "Products" }).getByText("An archived product").waitFor()
      await page.getByText("Sold out").click()
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByRole("row", { name: /Weight management.*Sold out/ }).waitFor()

      await parts.getByRole("link", { name: "Promo codes" }).click()
      await page.getByRole("button", { name: "Add a promo code" }).click()
      await page.getByLabel("Code", { exact: true }).fill("SPRING15")
      await page.getByLabel("Discount", { exact: true }).fill("101")
      await page.getByRole("button", { name: "Add", exact: true }).click()
      await seen(page, "must be between 0 and 100")
      await page.getByLabel("Discount", { exact: true }).fill("15")
      await page.getByLabel("At most this many uses").fill("100")
      await page.getByRole("group", { name: "Only for these bundles" }).getByText("Weight management").click()
      await page.getByRole("button", { name: "Add", exact: true }).click()
      await page.getByRole("row", { name: /SPRING15.*15 %.*Active.*0 of 100.*Some bundles/ }).waitFor()
      await page.getByRole("button", { name: "Disable SPRING15" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click()
      await page.getByRole("row", { name: /SPRING15.*Disabled/ }).waitFor()
    })
    const { json } = yield* admin("GET", `/organizations/${organizationId}/bundles`)
    assert.strictEqual(json.data[0].isSoldOut, true)
  })

  it("exports a patient as a file, and erases them once their email was typed", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    const { json: created } = yield* createCase(clinic, body)
    yield* addStaff(clinic, { role: "SUPPORT" })
    const { email } = body.user
    const window = yield* signedIn(clinic, "ADMIN", { path: partOf(clinic.organizationId, "patients") })
    const exported = yield* onPage(window, async (page) => {
      await page.getByRole("searchbox", { name: "Patient" }).fill(email)
      await page.keyboard.press("Enter")
      await page.getByRole("button", { name: "Export Maria Lopez" }).click()
      const question = page.getByRole("dialog", { name: "Export the patient's data?" })
      await question.getByText("Maria Lopez").waitFor()
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        question.getByRole("button", { name: "Export" }).click()
      ])
      const chunks: Array<Buffer> = []
      for await (const chunk of await download.createReadStream()) chunks.push(chunk)
      assert.notInclude(page.url(), email)
      return Buffer.concat(chunks).toString()
    })
    assert.include(exported, email)
    yield* onPage(window, async (page) => {
      await page.getByRole("button", { name: "Erase Maria Lopez" }).click()
      const question = page.getByRole("dialog", { name: "Erase the patient?" })
      const erase = question.getByRole("button", { name: "Erase Maria Lopez" })
      assert.isTrue(await erase.isDisabled())
      await question.getByRole("textbox").fill(email)
      await erase.click()
      await question.getByText("The patient has an active case").waitFor()
      await question.getByText("Even if they are being treated now").click()
      await erase.click()
      await question.waitFor({ state: "detached" })
    })
    const { json } = yield* admin("GET", `/cases/${created.data.caseId}`)
    assert.notInclude(JSON.stringify(json), email)
  })

  it("has a single sign-on, whose mistakes are shown at its fields", function* () {
    const clinic = yield* makeClinic
    const window = yield* signedIn(clinic, "ADMIN", { path: partOf(clinic.organizationId, "sign-on") })
    yield* onPage(window, async (page) => {
      await seen(page, "/admin/v1/session/oidc/callback")
      await page.getByLabel("Issuer").fill("http://127.0.0.1:9")
      await page.getByLabel("Client id").fill("care")
      await page.getByLabel("Domains of emails").fill("clinic")
      await page.getByRole("button", { name: "Save" }).click()
      await seen(page, "must be the domain of email addresses")
      await page.getByLabel("Domains of emails").fill(`${clinic.organizationId}.example.com`)
      await page.getByRole("button", { name: "Save" }).click()
      await seen(page, "Provider not usable")
    })
  })
})
