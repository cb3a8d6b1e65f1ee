import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { type ConsoleWindow, sharedConsole } from "../harness/console/Browser.ts"
import { filledClinic } from "../harness/console/filledClinic.ts"
import { findingsOn } from "../harness/console/findings.ts"
import { onPage } from "../harness/console/onPage.ts"
import { press } from "../harness/console/screenSteps.ts"
import { signedIn, signedInOperator } from "../harness/console/signedIn.ts"
import { testsOn } from "../harness/testsOn.ts"

const minutes = 60_000

/** A window before a screen: the path, and what opens it. */
type Opened = readonly [path: string, open: (page: Page) => Promise<unknown>]

testsOn(
  sharedConsole,
  "windows before the screens of the console are accessible in both themes and at 375 px",
  (it) => {
    const look = Effect.fnUntraced(function* (window: ConsoleWindow, opened: ReadonlyArray<Opened>) {
      const findings = yield* Effect.forEach(opened, ([path, open]) =>
        onPage(window, async (page) => {
          await page.goto(`/console${path}`)
          await open(page)
          await page.getByRole("dialog").waitFor()
          return findingsOn(page, `a window of ${path}`)
        })
      )
      assert.deepStrictEqual(findings.flat(), [])
    })
    const opens =
      (name: string | RegExp) =>
      (page: Page): Promise<void> =>
        page.getByRole("main").getByRole("button", { name }).first().click()

    it(
      "those of support",
      function* () {
        const { caseId, clinic } = yield* filledClinic
        yield* look(yield* signedIn(clinic, "SUPPORT"), [
          [
            "/queue",
            async (page) => {
              await page.getByRole("heading", { level: 1 }).waitFor()
              await page.keyboard.press("?")
            }
          ],
          [
            "/",
            async (page) => {
              await press(page, /^Search/)
              await page.getByRole("dialog").getByLabel("Search cases").fill("Lopez")
              await page
                .getByRole("dialog")
                .getByText(/^2 cases$/)
                .waitFor()
            }
          ],
          ["/escalations", opens(/^Complete/)],
          [`/cases/${caseId}`, opens("Escalate")],
          ["/orders", opens(/^Change the order/)],
          ["/account", opens("Add a passkey")]
        ])
      },
      5 * minutes
    )

    it(
      "those of a developer",
      function* () {
        const { clinic, endpointId } = yield* filledClinic
        const keys = `/organizations/${clinic.organizationId}/keys`
        const endpoint = `/webhooks/${endpointId}`
        const onlyThese = (name: string | RegExp) => async (page: Page) => {
          await opens(name)(page)
          await page.getByRole("dialog").getByText("Only these").click()
        }
        yield* look(yield* signedIn(clinic, "DEVELOPER"), [
          [keys, onlyThese(/^Issue/)],
          [keys, opens(/^Change/)],
          [keys, opens(/^Rotate/)],
          ["/webhooks", onlyThese("Add an endpoint")],
          [endpoint, opens("Send what is missing")],
          [endpoint, opens("Change")],
          [endpoint, opens("New secret")],
          [endpoint, opens("Delete")]
        ])
      },
      5 * minutes
    )

    it(
      "those of an administrator",
      function* () {
        const { clinic, deliveryId, endpointId, paymentId } = yield* filledClinic
        const part = (name: string) => `/organizations/${clinic.organizationId}/${name}`
        yield* look(yield* signedIn(clinic, "ADMIN"), [
          [`/payments/${paymentId}`, opens("Refund")],
          [`/webhooks/${endpointId}/${deliveryId}`, opens("Send again")],
          [part("keys"), opens(/^Issue/)],
          [part("keys"), opens(/^Revoke/)],
          [part("members"), opens(/^Add/)],
          [part("products"), opens(/^Add/)],
          [part("bundles"), opens(/^Add/)],
          [part("promo-codes"), opens(/^Add/)]
        ])
      },
      5 * minutes
    )

    it(
      "those of an operator",
      function* () {
        yield* signedInOperator("/")
        yield* look(yield* signedInOperator("/"), [
          ["/operators", opens("Invite an operator")],
          ["/operators", opens(/^Deactivate/)],
          ["/promo-codes", opens(/^Add/)]
        ])
      },
      5 * minutes
    )
  }
)
