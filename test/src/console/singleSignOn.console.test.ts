import { openIdClient, runOpenIdProvider } from "@care/auth/testing/runOpenIdProvider"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { admin } from "../harness/call.ts"
import { Browser, sharedConsole } from "../harness/console/Browser.ts"
import { onPage } from "../harness/console/onPage.ts"
import { pathOf, press, titled } from "../harness/console/screenSteps.ts"
import { inDatabase } from "../harness/database.ts"
import { addStaff, makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(sharedConsole, "single sign-on in the console", (it) => {
  const openClinic = Effect.gen(function* () {
    const window = yield* (yield* Browser).open()
    const provider = yield* runOpenIdProvider({ redirectUri: `${window.origin}/admin/v1/session/oidc/callback` })
    const { organizationId } = yield* makeClinic
    const domain = `d${organizationId}.example`
    const email = `jane@${domain}`
    yield* addStaff({ organizationId }, { email, role: "ADMIN" })
    const setting = { ...openIdClient, issuer: provider.issuer, domains: [domain] }
    const { status } = yield* admin("PUT", `/organizations/${organizationId}/single-sign-on`, setting)
    assert.strictEqual(status, 200)
    return { ...window, domain, email, organizationId }
  })

  /** Begins at the sign-in of the console, and names an email at the provider. */
  const signInAt = async (page: Page, { email, at = email }: { readonly email: string; readonly at?: string }) => {
    await titled(page, "Sign in")
    await page.getByLabel("Email").fill(email)
    await press(page, "Single sign-on of your organization")
    await page.getByLabel("Email at the provider").fill(at)
    await press(page, "Sign in")
  }

  it("leads by way of the provider to the page that was wanted", function* () {
    const clinic = yield* openClinic
    yield* onPage(clinic, async (page) => {
      await page.goto("/console/device?code=BCDF-GHJK")
      await signInAt(page, clinic)
      await titled(page, "Approve a device")
      assert.strictEqual(pathOf(page), "/console/device?code=BCDF-GHJK")
      await page.reload()
      await titled(page, "Approve a device")
    })
  })

  it("says why nobody was signed in, and keeps the page that was wanted for the next attempt", function* () {
    const clinic = yield* openClinic
    const { domain, email, organizationId } = clinic
    const expire = inDatabase(
      "auth",
      (sql) => sql`
        UPDATE auth.sign_ons_in_progress SET expires_at = ${new Date(0)} WHERE for_organization_id = ${organizationId}
      `
    )
    yield* onPage(clinic, (page) => page.goto("/console/payments"))
    const isRefused = async (page: Page, text: string) => {
      await page.getByRole("alert").getByText(text).waitFor()
      await titled(page, "Sign in")
      assert.strictEqual(new URL(page.url()).searchParams.get("next"), "/payments")
    }
    for (const [at, text] of [
      ["jane@elsewhere.example", "named no verified email of its domains"],
      [`stranger@${domain}`, "Nobody of your organization has the email"]
    ] as const) {
      yield* onPage(clinic, async (page) => {
        await signInAt(page, { email, at })
        await isRefused(page, text)
      })
      // The provider remembers who signed in.
      yield* onPage(clinic, () => clinic.context.clearCookies())
    }
    yield* onPage(clinic, async (page) => {
      await page.getByLabel("Email").fill(email)
      await press(page, "Single sign-on of your organization")
      await press(page, "Cancel")
      await isRefused(page, "The provider of your organization refused it")
      await page.getByLabel("Email").fill(email)
      await press(page, "Single sign-on of your organization")
      await page.getByLabel("Email at the provider").fill(email)
    })
    yield* expire
    yield* onPage(clinic, async (page) => {
      await press(page, "Sign in")
      await isRefused(page, "It took too long, or was begun in another browser")
      await page.context().clearCookies()
      await signInAt(page, clinic)
      await titled(page, "Payments")
    })
  })

  it("is no proof of presence: who has no passkey is told how to get one", function* () {
    const clinic = yield* openClinic
    yield* onPage(clinic, async (page) => {
      await page.goto(`/console/organizations/${clinic.organizationId}/keys`)
      await signInAt(page, clinic)
      await press(page, "Issue a key")
      await press(page, "Issue")
      const asked = page.getByRole("dialog", { name: "Use your passkey" })
      await asked.getByText("you have none").waitFor()
      assert.isTrue(await asked.getByRole("button", { name: "Use passkey" }).isDisabled())
      await asked.getByRole("button", { name: "Cancel" }).click()
      await page.getByRole("alert").getByText("Nothing was changed or sent").waitFor()
    })
  })

  it("says that a domain has none", function* () {
    const window = yield* (yield* Browser).open()
    yield* onPage(window, async (page) => {
      await page.goto("/console/sign-in")
      await page.getByLabel("Email").fill("jane@nowhere.example")
      await press(page, "Single sign-on of your organization")
      await page.getByRole("alert").getByText("There is no single sign-on for this domain").waitFor()
    })
  })

  it("leads nowhere but into the console", function* () {
    const clinic = yield* openClinic
    yield* onPage(clinic, async (page) => {
      for (const next of ["//evil.example", "/\\evil.example", "https://evil.example", "/%2e%2e/admin/v1/session"]) {
        await page.context().clearCookies()
        await page.goto(`/console/sign-in?next=${encodeURIComponent(next)}`)
        await signInAt(page, clinic)
        await titled(page, "Start")
        assert.strictEqual(page.url(), `${clinic.origin}/console`, next)
      }
    })
  })
})
