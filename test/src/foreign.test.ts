import { neededScope } from "@care/domain/scopes"
import { assert } from "@effect/vitest"
import { Effect, Equal } from "effect"
import { type Answer, admin, CallHeaders } from "./harness/call.ts"
import { inDatabase, inEveryDatabase } from "./harness/database.ts"
import { addStaff, caseBody, createCase, decisionBody, makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { sendOperation } from "./harness/fixturesOf.ts"
import { inSecondCellOfGateway, layerTwoCells } from "./harness/layerTwoCells.ts"
import {
  foreignRequests,
  makeTarget,
  makeTargetOf,
  type Target,
  targetMarker,
  unknownFixtures
} from "./harness/makeTarget.ts"
import { Suite } from "./harness/Suite.ts"
import { refresh } from "./harness/signIn.ts"
import { ofSandboxes } from "./harness/testAccounts.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const pdf = Buffer.from("%PDF-1.7 a file").toString("base64")

const textOf = ({ headers, json }: Answer) => JSON.stringify([[...headers], json])

// Operations whose responses to the organization itself contain the marker, which shows that a search for it works.
const reads = [
  "users.me",
  "reading.caseDetail",
  "reading.cases",
  "appointmentList.list",
  "bundles.list",
  "users.updateProfile"
]

// Removes the parts that differ in every response.
const shapeOf = ({ json, status }: Answer): object => ({
  status,
  ...JSON.parse(
    JSON.stringify(json)
      .replace(/[\w.-]+@example\.com/g, "<email>")
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")
      .replace(/\b(pi|seti|whsec)_[\w+/=]+/g, "<id>")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
      .replace(/"steps":\d+/g, '"steps":"<count>"')
  )
})

testsOn(Suite.shared, "another organization's ids", (it) => {
  // The state of the target: its cases in the back office, and its rows in auth.
  const everythingOf = ({ caseId, clinic }: Target) =>
    Effect.all([
      Effect.map(admin("GET", `/cases/${caseId}`), ({ json }) =>
        JSON.stringify(json).replace(/expires=\d+&signature=[\w-]+/g, "")
      ),
      inDatabase(
        "auth",
        (sql) => sql`SELECT * FROM auth.users WHERE organization_id = ${clinic.organizationId} ORDER BY id`
      ),
      inDatabase(
        "payments",
        (sql) => sql`SELECT id, status FROM payments.payments WHERE case_id = ${caseId} ORDER BY id`
      ),
      inDatabase(
        "payments",
        (sql) => sql`SELECT * FROM payments.saved_methods WHERE organization_id = ${clinic.organizationId}`
      ),
      inDatabase(
        "cases",
        (sql) => sql`SELECT * FROM cases.webhook_endpoints WHERE organization_id = ${clinic.organizationId}`
      ),
      inDatabase(
        "cases",
        (sql) => sql`SELECT * FROM cases.webhook_deliveries WHERE organization_id = ${clinic.organizationId}`
      )
    ])

  // The jobs, and those which are due soon, and the deliveries that have not arrived.
  const workOf = ({ clinic: { organizationId } }: Target) =>
    Effect.all({
      jobs: inEveryDatabase(
        (sql, service) => sql<{ isDue: boolean }>`
          SELECT state IN ('pending', 'running') AND due_at < now() + interval '1 minute' AS "isDue"
          FROM ${sql(service)}.jobs WHERE organization_id = ${organizationId}
        `
      ),
      deliveries: inDatabase(
        "cases",
        (sql) => sql`
          SELECT FROM cases.webhook_deliveries WHERE organization_id = ${organizationId} AND status <> 'DELIVERED'
        `
      )
    })

  type Work = Effect.Success<ReturnType<typeof workOf>>

  const isDone = ({ deliveries, jobs }: Work) => deliveries.length === 0 && jobs.every(({ isDue }) => !isDue)

  // Waits until all deliveries have arrived, no job is due, and nothing changes any more. A job may add one in a service that was read before,
  // but not if a second look finds the same jobs.
  const untilStill = (target: Target) =>
    until(
      Effect.all([workOf(target), workOf(target)]),
      ([first, second]) => isDone(first) && isDone(second) && first.jobs.length === second.jobs.length
    )

  it("no partner operation shows or changes data of another organization", function* () {
    const attacker = yield* makeClinic
    const target = yield* makeTarget
    const attempts = yield* foreignRequests(target.fixtures, attacker.organizationId)
    assert.isAbove(attempts.length, 40)
    for (const { contract, request } of attempts.filter(({ contract }) => reads.includes(contract.id))) {
      const answer = textOf(yield* sendOperation(target.clinic, contract, request))
      assert.include(answer, targetMarker, contract.id)
      if (contract.id !== "bundles.list") assert.include(answer, target.userId, contract.id)
    }
    const { accessToken, refreshToken } = yield* Effect.promise(() => target.fixtures.session())
    yield* untilStill(target)
    const before = yield* everythingOf(target)
    // Without a token, and with the token of the other organization's patient.
    for (const headers of [{}, { authorization: `Bearer ${accessToken}` }]) {
      for (const { contract, request } of attempts) {
        const attempt = sendOperation(attacker, contract, request)
        const answer = yield* Effect.provideService(attempt, CallHeaders, headers)
        assert.strictEqual(answer.status, contract.entry.foreign?.status, contract.id)
        assert.notInclude(textOf(answer), targetMarker, contract.id)
        assert.notInclude(textOf(answer), target.userId, contract.id)
      }
    }
    assert.deepStrictEqual(yield* everythingOf(target), before)
    assert.strictEqual((yield* refresh(target.clinic.key, refreshToken)).status, 200)
  })

  // What Stripe has in the account of sandboxes does not exist in that of live organizations.
  const unknownAtOther: Readonly<Record<string, number>> = { "paymentSetup.completeSetup": 400 }

  it("a test key and the live key of one partner are foreign to each other, in every operation", function* () {
    const live = yield* makeTarget
    const sandbox = yield* ofSandboxes(makeTargetOf(yield* makeSandbox(live.clinic)))
    for (const [attacker, target] of [
      [live, sandbox],
      [sandbox, live]
    ] as const) {
      // The operations of sandboxes are refused to all live keys.
      const attempts = (yield* foreignRequests(target.fixtures, attacker.clinic.organizationId)).filter(
        ({ contract: { endpoint, group } }) => neededScope(group, endpoint) !== "test"
      )
      yield* untilStill(target)
      const before = yield* everythingOf(target)
      for (const { contract, request } of attempts) {
        const answer = yield* sendOperation(attacker.clinic, contract, request)
        const name = `${contract.id} ${attacker.clinic.key.slice(0, 7)}`
        assert.strictEqual(answer.status, unknownAtOther[contract.id] ?? contract.entry.foreign?.status, name)
        assert.notInclude(textOf(answer), target.userId, name)
      }
      assert.deepStrictEqual(yield* everythingOf(target), before)
    }
  })

  it("ids of another organization get the same response as unknown ids, unless the specification distinguishes them", function* () {
    const attacker = yield* makeClinic
    const { fixtures } = yield* makeTarget
    const attempts = yield* foreignRequests(fixtures, attacker.organizationId)
    const unknown = yield* foreignRequests(unknownFixtures(fixtures), attacker.organizationId)
    for (const [index, { contract, request }] of attempts.entries()) {
      const { id, entry } = contract
      const { body, unknownIds } = entry.foreign ?? {}
      const foreign = shapeOf(yield* sendOperation(attacker, contract, request))
      const other = shapeOf(yield* sendOperation(attacker, contract, unknown[index]?.request ?? {}))
      if (body === undefined || unknownIds === undefined) {
        assert.deepStrictEqual(foreign, other, id)
      } else {
        assert.deepInclude(foreign, body, id)
        assert.deepInclude(other, unknownIds, id)
        assert.notDeepEqual(foreign, other, id)
      }
    }
  })

  it("the operator cannot combine things of two organizations", function* () {
    const other = yield* makeClinic
    const target = yield* makeTarget
    const { formId } = yield* Effect.promise(() => target.fixtures.form())
    const caseId: string = (yield* createCase(other, caseBody(other))).json.data.caseId
    const at = `/organizations/${other.organizationId}`
    const bundle = {
      name: "B",
      description: "",
      imageUrl: "",
      price: "1.00",
      priceUnit: "USD",
      initialDiscount: "0.00",
      isSoldOut: false,
      isVisible: true
    }
    const member = yield* addStaff(other)
    yield* until(admin("GET", `/cases/${caseId}`), ({ json }) => json.status === "ASSIGNED")
    const refused = [
      admin("POST", `${at}/bundles`, { ...bundle, productIds: [target.clinic.productId] }),
      admin("POST", `${at}/bundles`, { ...bundle, intakeFormId: formId }),
      admin("POST", `/cases/${caseId}/assign`, { providerId: target.fixtures.providerId }),
      admin("POST", `/cases/${caseId}/decisions`, decisionBody(target.fixtures.providerId)),
      admin("POST", `/cases/${caseId}/decisions`, decisionBody(member, { productId: target.clinic.productId })),
      admin("POST", `/cases/${caseId}/comments`, {
        authorUserId: target.userId,
        text: "Hello",
        isRestricted: false
      }),
      admin("POST", `/cases/${caseId}/attachments`, {
        uploadedByUserId: target.userId,
        fileName: "a.pdf",
        content: pdf
      })
    ]
    for (const attempt of refused) {
      const answer = yield* attempt
      assert.strictEqual(answer.status, 422, textOf(answer))
      assert.isNotEmpty(answer.json.detail)
      assert.notInclude(textOf(answer), targetMarker)
    }
  })
})

testsOn(layerTwoCells, "another cell's ids", (it) => {
  it("get the same response as unknown ids, or as those of another organization if the specification distinguishes them", function* () {
    const attacker = yield* makeClinic
    // The second cell has fewer organizations.
    const { clinic, fixtures } = yield* inSecondCellOfGateway(makeTarget)
    assert.deepStrictEqual([attacker.key.slice(0, 11), clinic.key.slice(0, 11)], ["cv_live_c1_", "cv_live_c2_"])
    const attempts = yield* foreignRequests(fixtures, attacker.organizationId)
    const unknown = yield* foreignRequests(unknownFixtures(fixtures), attacker.organizationId)
    for (const [index, { contract, request }] of attempts.entries()) {
      const { body, unknownIds } = contract.entry.foreign ?? {}
      const answer = yield* sendOperation(attacker, contract, request)
      assert.notInclude(textOf(answer), targetMarker, contract.id)
      const foreign = shapeOf(answer)
      const other = shapeOf(yield* sendOperation(attacker, contract, unknown[index]?.request ?? {}))
      if (body !== undefined && unknownIds !== undefined && !Equal.equals(foreign, other)) {
        assert.deepInclude(foreign, body, contract.id)
      } else {
        assert.deepStrictEqual(foreign, other, contract.id)
      }
    }
  })
})
