import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { admin } from "../harness/call.ts"
import { ownConsole } from "../harness/console/Browser.ts"
import { focused } from "../harness/console/keyboard.ts"
import { onPage } from "../harness/console/onPage.ts"
import { press } from "../harness/console/screenSteps.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { caseBody, createCase, makeClinic } from "../harness/fixtures.ts"
import { fixturesOf, patientsNamed } from "../harness/fixturesOf.ts"
import { SuiteTime } from "../harness/SuiteTime.ts"
import { testsOn } from "../harness/testsOn.ts"
import { until } from "../harness/until.ts"

testsOn(ownConsole, "the passkey before what cannot be taken back", (it) => {
  // A passkey counts for five minutes.
  const later = Effect.flatMap(SuiteTime, (time) => time.advance("6 minutes"))
  const asked = (page: Page) => page.getByRole("dialog", { name: "Use your passkey" })
  const button = (page: Page, name: string) => asked(page).getByRole("button", { name, exact: true })
  const answer = (page: Page, name: string) => button(page, name).click()

  const closed = async (page: Page) => {
    await asked(page).waitFor({ state: "detached" })
    await page.getByRole("dialog").waitFor({ state: "detached" })
  }

  const openClinic = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic, { isTest: true })
    const { json } = yield* createCase(clinic, body)
    const fixtures = yield* fixturesOf(clinic, patientsNamed("Wants to know more"))
    const paymentId = yield* Effect.promise(() => fixtures.takenPaymentId())
    const window = yield* signedIn(clinic, "ADMIN", { path: "/account" })
    const { organizationId } = clinic
    const downloads: Array<unknown> = []
    window.page.on("download", (download) => downloads.push(download))
    const find = async (page: Page) => {
      await page.goto(`/console/organizations/${organizationId}/patients`)
      await page.getByRole("searchbox", { name: "Patient" }).fill(body.user.email)
      await page.keyboard.press("Enter")
    }
    const readCase = admin("GET", `/cases/${json.data.caseId}`)
    return {
      window,
      actions: [
        {
          name: "a key is issued",
          begin: async (page: Page) => {
            await page.goto(`/console/organizations/${organizationId}/keys`)
            await press(page, "Issue a key")
            await page.getByLabel("Label").fill("Intake server")
          },
          confirm: (page: Page) => press(page, "Issue"),
          isDone: Effect.map(admin("GET", `/organizations/${organizationId}/api-keys`), (keys) =>
            JSON.stringify(keys.json).includes("Intake server")
          ),
          end: (page: Page) => page.getByRole("dialog", { name: "Your new API key" }).waitFor()
        },
        {
          name: "a payment is refunded",
          begin: async (page: Page) => {
            await page.goto(`/console/payments/${paymentId}`)
            await press(page, "Refund")
          },
          confirm: (page: Page) => press(page, /^Refund \d/),
          isDone: Effect.map(admin("GET", `/payments/${paymentId}`), ({ json: found }) => found.gateway.refunded > 0),
          end: closed
        },
        {
          name: "a patient is exported",
          begin: async (page: Page) => {
            await find(page)
            await press(page, "Export Maria Lopez")
          },
          confirm: (page: Page) => press(page, "Export"),
          isDone: Effect.sync(() => downloads.length > 0),
          end: closed
        },
        {
          name: "a patient is erased",
          begin: async (page: Page) => {
            await find(page)
            await press(page, "Erase Maria Lopez")
            const question = page.getByRole("dialog", { name: "Erase the patient?" })
            await question.getByRole("textbox").fill(body.user.email)
            await question.getByText("Even if they are being treated now").click()
          },
          confirm: (page: Page) => page.getByRole("dialog").getByRole("button", { name: "Erase Maria Lopez" }).click(),
          isDone: Effect.map(readCase, (found) => !JSON.stringify(found.json).includes("Lopez")),
          end: closed
        }
      ]
    }
  })

  it("is asked for when the last one is older than five minutes; nothing is done without it", function* () {
    const { actions, window } = yield* openClinic
    for (const { begin, confirm, end, isDone, name } of actions) {
      yield* later
      yield* onPage(window, async (page) => {
        await begin(page)
        await confirm(page)
        await answer(page, "Cancel")
        await page.getByRole("dialog").getByRole("alert").getByText("Nothing was changed or sent").waitFor()
      })
      assert.isFalse(yield* isDone, name)
      yield* onPage(window, async (page) => {
        await confirm(page)
        await focused(button(page, "Use passkey"))
        await page.keyboard.press("Escape")
        await page.getByRole("dialog").getByRole("alert").getByText("Nothing was changed or sent").waitFor()
        await confirm(page)
        await focused(button(page, "Use passkey"))
        await page.keyboard.press("Enter")
        await end(page)
      })
      yield* until(isDone, (done) => done)
    }
  }, 120_000)

  it("says what to do when it does not recognize the person, or is not on this device", function* () {
    const { actions, window } = yield* openClinic
    const [{ begin, confirm, end, isDone } = assert.fail("there is an action")] = actions
    yield* later
    yield* onPage(window, async (page) => {
      const refused = () => asked(page).getByRole("alert").getByText("take the device or security key that has it")
      await begin(page)
      await confirm(page)
      await window.securityKey.recognize(false)
      await answer(page, "Use passkey")
      await refused().waitFor()
      await window.securityKey.recognize(true)
      await answer(page, "Use passkey")
      await end(page)
    })
    assert.isTrue(yield* isDone)
    yield* later
    yield* onPage(window, async (page) => {
      await begin(page)
      await confirm(page)
      await window.securityKey.empty()
      await answer(page, "Use passkey")
      await asked(page).getByRole("alert").getByText("take the device or security key that has it").waitFor()
      await answer(page, "Cancel")
      await page.getByRole("dialog").getByRole("alert").getByText("Nothing was changed or sent").waitFor()
    })
  })
})
