import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { admin } from "../harness/call.ts"
import { Browser, type ConsoleWindow, sharedConsole } from "../harness/console/Browser.ts"
import { filledClinic } from "../harness/console/filledClinic.ts"
import { findingsOn } from "../harness/console/findings.ts"
import { onPage } from "../harness/console/onPage.ts"
import { press, titled } from "../harness/console/screenSteps.ts"
import { lists, parts, routes, visited, visitedEmpty } from "../harness/console/screens.ts"
import { signedIn, signedInOperator } from "../harness/console/signedIn.ts"
import { waitingCase } from "../harness/console/waitingCase.ts"
import { addStaff, makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

const minutes = 60_000

// These have tests of their own.
const others = ["/sign-in", "/cases/$caseId", "$"]
const noPage = "There is no such page"

// Asks for each list in a way that the server refuses.
const spoilLists = (page: Page) =>
  page.route(/\/admin\/v1\/(?!session)/, (route) => {
    const url = new URL(route.request().url())
    for (const name of ["limit", "organizationId", "state"]) url.searchParams.set(name, "0")
    return route.request().method() === "GET" ? route.continue({ url: url.href }) : route.continue()
  })

testsOn(sharedConsole, "every screen of the console is accessible in both themes and at 375 px", (it) => {
  const look = (window: Pick<ConsoleWindow, "page">, name: string, show: (page: Page) => Promise<unknown>) =>
    onPage(window, async (page) => {
      await show(page)
      return findingsOn(page, name)
    })
  const visit = Effect.fnUntraced(function* (
    window: ConsoleWindow,
    screens: Readonly<Record<string, string | RegExp>>,
    ids: Readonly<Record<string, string>> = {}
  ) {
    const filled = (path: string) => path.replace(/\$(\w+Id)/g, (_, name) => String(ids[name]))
    const each = Object.entries(screens).flatMap(([path, text]) =>
      path.endsWith("/$part")
        ? Object.entries(parts).map(([part, shown]) => [filled(path).replace("$part", part), shown] as const)
        : [[filled(path), text] as const]
    )
    const findings = yield* Effect.forEach(each, ([path, text]) =>
      onPage(window, async (page) => {
        await page.goto(`/console${path}`)
        const shown = page.getByRole("main").getByText(text).filter({ visible: true }).first()
        const missing = await shown.waitFor().then(
          () => [],
          () => [`${path} does not show ${text}`]
        )
        return [...missing, ...(await findingsOn(page, path))]
      })
    )
    assert.deepStrictEqual(findings.flat(), [])
  })

  it("the list has every path of the router", function* () {
    yield* Effect.void
    const paths = [...others, ...Object.values(visited).flatMap((screens) => Object.keys(screens))]
    assert.deepStrictEqual([...new Set(paths)].sort(), [...new Set(routes)].sort())
  })

  it(
    "the sign-in",
    function* () {
      const clinic = yield* makeClinic
      const email = `first.${clinic.organizationId}@clinic.example.com`
      yield* addStaff(clinic, { email })
      const window = yield* (yield* Browser).open()
      const findings = [
        yield* look(window, "email", (page) => page.goto("/console/sign-in")),
        yield* look(window, "code", async (page) => {
          await page.getByLabel("Email").fill(email)
          await press(page, "Send me a code")
          await page.getByRole("button", { name: "Use this code" }).waitFor()
        }),
        yield* look(window, "enrolment", async (page) => {
          await press(page, "Use this code")
          await press(page, "Continue")
          await titled(page, "Make a passkey")
        }),
        yield* look(window, "recovery codes", async (page) => {
          await page.getByLabel("Name of the passkey").fill("Laptop")
          await press(page, "Make a passkey")
          await titled(page, "Keep your recovery codes")
        })
      ]
      assert.deepStrictEqual(findings.flat(), [])
    },
    5 * minutes
  )

  it(
    "a case, its forms and its questions",
    function* () {
      const { caseId, clinic } = yield* filledClinic
      const window = yield* signedIn(clinic, "PROVIDER")
      yield* admin("POST", `/cases/${caseId}/assign`, { providerId: window.userId })
      const findings = [
        yield* look(window, "case", async (page) => {
          await page.goto(`/console/cases/${caseId}`)
          await press(page, "Start work")
          await page.getByRole("button", { name: "Decide" }).waitFor()
        }),
        yield* look(window, "comment", async (page) => {
          await press(page, "Comment")
          await page.getByRole("form").waitFor()
        }),
        yield* look(window, "decision", async (page) => {
          await press(page, "Decide")
          await page.getByText("Approve", { exact: true }).click()
          await press(page, "Add a medicine")
          await page.getByRole("textbox", { name: "Medicine", exact: true }).fill("Semaglutide")
        }),
        yield* look(window, "confirmation", async (page) => {
          await page.getByRole("form").getByRole("button", { name: "Approve" }).click()
          await page.getByRole("dialog").waitFor()
        })
      ]
      assert.deepStrictEqual(findings.flat(), [])
    },
    5 * minutes
  )

  it(
    "what is not there, or not for the person",
    function* () {
      const { caseId, clinic } = yield* filledClinic
      const part = `/organizations/${clinic.organizationId}/keys`
      yield* visit(yield* signedIn(clinic, "PROVIDER"), { [`/cases/${caseId}`]: "Break the glass", [part]: noPage })
      yield* visit(yield* signedIn(clinic, "ADMIN"), {
        "/nowhere": noPage,
        "/queue": "This page is not for your role",
        [`/cases/${caseId}`]: "Your role does not"
      })
      yield* visit(yield* signedIn(clinic, "DEVELOPER"), {
        [part]: "Issue a key",
        "/search": "This page is not for your role",
        [`/cases/${caseId}`]: "Your role does not"
      })
    },
    5 * minutes
  )

  for (const role of ["PROVIDER", "SUPPORT", "THIRD_PARTY_ADMIN", "ADMIN", "DEVELOPER"] as const) {
    it(
      `what ${role} reads`,
      function* () {
        const { caseId, clinic, deliveryId, endpointId, formId, paymentId } = yield* filledClinic
        const window = yield* signedIn(clinic, role)
        yield* visit(window, visited[role], { ...clinic, caseId, deliveryId, endpointId, formId, paymentId })
      },
      9 * minutes
    )
  }

  it(
    "what an operator reads",
    function* () {
      yield* filledClinic
      yield* visit(yield* signedInOperator("/"), visited.OPERATOR)
    },
    9 * minutes
  )

  it(
    "screens with nothing to show",
    function* () {
      const organizationId: string = (yield* admin("POST", "/organizations", { name: "New clinic" })).json.id
      for (const role of ["PROVIDER", "SUPPORT", "THIRD_PARTY_ADMIN", "ADMIN", "DEVELOPER"] as const) {
        yield* visit(yield* signedIn({ organizationId }, role), visitedEmpty[role], { organizationId })
      }
      const clinic = yield* makeClinic
      const caseId = yield* waitingCase(clinic)
      const thirdParty = yield* signedIn(clinic, "THIRD_PARTY_ADMIN")
      yield* visit(thirdParty, { [`/cases/${caseId}`]: "Nobody commented on this case" })
    },
    9 * minutes
  )

  it(
    "lists that cannot be read",
    function* () {
      const { caseId, clinic, endpointId } = yield* filledClinic
      for (const role of ["SUPPORT", "THIRD_PARTY_ADMIN", "ADMIN", "DEVELOPER", "OPERATOR"] as const) {
        const window = role === "OPERATOR" ? yield* signedInOperator("/") : yield* signedIn(clinic, role)
        yield* onPage(window, spoilLists)
        const screens = Object.fromEntries(lists[role].map((path) => [path, "Try again"]))
        yield* visit(window, screens, { ...clinic, caseId, endpointId })
      }
    },
    9 * minutes
  )
})
