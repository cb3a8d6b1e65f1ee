import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { toHttpRequest } from "../../operations/contracts.ts"
import type { Fixtures } from "../../operations/Fixtures.ts"
import { admin } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { onPage } from "../harness/console/onPage.ts"
import { fetchIn, signedIn } from "../harness/console/signedIn.ts"
import { inDatabase } from "../harness/database.ts"
import { type Clinic, makeClinic } from "../harness/fixtures.ts"
import { fixturesOf, patientsNamed } from "../harness/fixturesOf.ts"
import { untilAllEnded } from "../harness/jobsOf.ts"
import { targetMarker } from "../harness/makeTarget.ts"
import { ofPerson, staffOperations } from "../harness/staffOperations.ts"
import { testsOn } from "../harness/testsOn.ts"

const roles = ["PROVIDER", "SUPPORT", "THIRD_PARTY_ADMIN", "ADMIN", "DEVELOPER"] as const

testsOn(sharedConsole, "another organization's ids in the console", (it) => {
  const makeTarget = Effect.gen(function* () {
    const clinic = yield* makeClinic
    return { clinic, fixtures: yield* fixturesOf(clinic, patientsNamed(targetMarker)) }
  })

  /** Makes the requests of operations with the target's ids, before any is sent. */
  const requestsOf = (fixtures: Fixtures, operations: typeof staffOperations) =>
    Effect.forEach(operations, ({ contract, permission }) =>
      Effect.promise(async () => ({ contract, permission, request: await contract.entry.request(fixtures) }))
    )

  const rowsOf = ({ organizationId }: Clinic) =>
    Effect.all([
      inDatabase(
        "cases",
        (sql) => sql`SELECT id, activity_count, status, assigned_to FROM cases.cases
          WHERE organization_id = ${organizationId} ORDER BY id`
      ),
      inDatabase(
        "cases",
        (sql) => sql`SELECT * FROM cases.webhook_deliveries WHERE organization_id = ${organizationId} ORDER BY id`
      ),
      inDatabase("cases", (sql) => sql`SELECT id FROM cases.break_glass WHERE organization_id = ${organizationId}`),
      inDatabase("auth", (sql) => sql`SELECT * FROM auth.users WHERE organization_id = ${organizationId} ORDER BY id`),
      inDatabase(
        "auth",
        (sql) => sql`SELECT id, revoked_at FROM auth.api_keys WHERE organization_id = ${organizationId} ORDER BY id`
      ),
      inDatabase("auth", (sql) => sql`SELECT * FROM auth.organizations WHERE id = ${organizationId}`),
      inDatabase(
        "auth",
        (sql) => sql`SELECT id, ended_at FROM auth.staff_sessions WHERE organization_id = ${organizationId} ORDER BY id`
      ),
      inDatabase(
        "payments",
        (sql) => sql`SELECT id, status FROM payments.payments WHERE organization_id = ${organizationId} ORDER BY id`
      ),
      inDatabase(
        "payments",
        (sql) => sql`SELECT * FROM payments.promo_codes WHERE organization_id = ${organizationId} ORDER BY id`
      )
    ])

  it("a page that is signed in reads and changes nothing with them, whatever it asks for", function* () {
    const { clinic, fixtures } = yield* makeTarget
    const attacker = yield* makeClinic
    const requests = yield* requestsOf(fixtures, staffOperations)
    const staff = yield* Effect.promise(() => fixtures.staff())
    yield* untilAllEnded(clinic)
    const before = yield* rowsOf(clinic)
    const attempted = new Set<string>()
    for (const role of roles) {
      const window = yield* signedIn(attacker, role)
      for (const { contract, permission, request } of requests) {
        if (!permission.roles.includes(role)) continue
        const { body, method, path } = toHttpRequest(contract, ofPerson(contract, request))
        const { json, status } = yield* fetchIn(window, method, path.replace("/admin/v1", ""), body)
        const name = `${role} ${contract.id} ${status}`
        attempted.add(contract.id)
        assert.notInclude(JSON.stringify(json ?? null), targetMarker, name)
        const named = { ...request.query, ...request.body }
        if (contract.path.includes("Id") || Object.hasOwn(named, "organizationId")) {
          assert.include([403, 404], status, name)
        }
      }
      for (const path of [`/sessions/${staff.sessionId}`, `/session/passkeys/${staff.passkeyId}`]) {
        assert.strictEqual((yield* fetchIn(window, "DELETE", path)).status, 404, path)
      }
    }
    assert.isAbove(attempted.size, 60)
    assert.deepStrictEqual(yield* rowsOf(clinic), before)
  }, 180_000)

  it("a provider's page calls no operation of operators", function* () {
    const { clinic, fixtures } = yield* makeTarget
    const window = yield* signedIn(clinic, "PROVIDER")
    const ofOperators = staffOperations.filter(({ permission }) => permission.roles.length === 1)
    assert.isAbove(ofOperators.length, 12)
    for (const { contract, request } of yield* requestsOf(fixtures, ofOperators)) {
      const { body, method, path } = toHttpRequest(contract, request)
      const { json, status } = yield* fetchIn(window, method, path.replace("/admin/v1", ""), body)
      assert.deepStrictEqual([contract.id, status, json.code], [contract.id, 403, "ROLE_REFUSED"])
    }
  })

  it("a link to another organization's thing shows a refusal and nothing of it", function* () {
    const { clinic, fixtures } = yield* makeTarget
    const { caseId } = yield* Effect.promise(() => fixtures.case())
    assert.include(JSON.stringify((yield* admin("GET", `/cases/${caseId}`)).json), targetMarker)
    const attacker = yield* makeClinic
    const paymentId = yield* Effect.promise(() => fixtures.heldPaymentId())
    const endpointId = yield* Effect.promise(() => fixtures.endpointId())
    const { deliveryId } = yield* Effect.promise(() => fixtures.delivery())
    const refused = /no such|not found|not complete|does not exist|refused|may not/i
    const pages = {
      PROVIDER: [`/cases/${caseId}`],
      SUPPORT: [`/cases/${caseId}`],
      THIRD_PARTY_ADMIN: [`/cases/${caseId}`],
      ADMIN: [
        `/payments/${paymentId}`,
        `/webhooks/${endpointId}`,
        `/webhooks/${endpointId}/${deliveryId}`,
        `/organizations/${clinic.organizationId}/members`
      ],
      DEVELOPER: [
        `/webhooks/${endpointId}`,
        `/webhooks/${endpointId}/${deliveryId}`,
        `/organizations/${clinic.organizationId}/keys`
      ]
    }
    for (const role of roles) {
      const window = yield* signedIn(attacker, role)
      yield* onPage(window, async (page) => {
        for (const path of pages[role]) {
          await page.goto(`/console${path}`)
          const main = page.getByRole("main")
          await main
            .getByText(role === "PROVIDER" ? /Break the glass/ : refused)
            .first()
            .waitFor()
          const text = `${await page.title()} ${await page.locator("body").textContent()}`
          assert.notInclude(text, targetMarker, path)
          assert.notInclude(text, "Test patient", path)
        }
      })
    }
  })
})
