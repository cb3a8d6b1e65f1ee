import { endpoints } from "@care/domain/endpoints"
import type { CallerKind } from "@care/domain/http"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { listAppointments } from "./harness/calendar.ts"
import { type Answer, admin, CallHeaders, call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { attempts } from "./harness/foreign/attempts.ts"
import { act, canary, makeTarget, member, pdf } from "./harness/foreign/makeTarget.ts"
import { type Target, unknownOf } from "./harness/foreign/Target.ts"
import { toldApart } from "./harness/foreign/toldApart.ts"
import { Suite } from "./harness/Suite.ts"
import { refresh } from "./harness/signIn.ts"
import { until } from "./harness/until.ts"

const identifiersOf = (...kinds: ReadonlyArray<CallerKind>): ReadonlyArray<string> => {
  return endpoints
    .filter(({ caller }) => caller !== undefined && kinds.includes(caller))
    .map(({ endpoint, group }) => `${group.identifier}.${endpoint.identifier}`)
    .sort()
}

const told = ({ headers, json }: Answer) => JSON.stringify([[...headers], json])

layer(Suite.layer, { timeout: "60 seconds", excludeTestServices: true })("another organization's ids", (it) => {
  // What the target's own back office sees, and its rows in auth.
  const everythingOf = ({ caseId, clinic }: Target) =>
    Effect.all([
      Effect.map(admin("GET", `/cases/${caseId}`), ({ json }) =>
        JSON.stringify(json).replace(/expires=\d+&signature=[\w-]+/g, "")
      ),
      inDatabase((sql) => sql`SELECT * FROM auth.users WHERE organization_id = ${clinic.organizationId} ORDER BY id`),
      inDatabase((sql) => sql`SELECT id, status FROM payments.payments WHERE case_id = ${caseId} ORDER BY id`),
      inDatabase((sql) => sql`SELECT * FROM payments.saved_methods WHERE organization_id = ${clinic.organizationId}`),
      inDatabase((sql) => sql`SELECT * FROM cases.webhook_endpoints WHERE organization_id = ${clinic.organizationId}`),
      inDatabase((sql) => sql`SELECT * FROM cases.webhook_deliveries WHERE organization_id = ${clinic.organizationId}`)
    ])

  it.effect("every partner operation of the contracts is tried", () =>
    Effect.sync(() => assert.deepStrictEqual(Object.keys(attempts).sort(), identifiersOf("partner", "link")))
  )

  it.effect("no partner operation answers anything of another organization, or changes it", () =>
    Effect.gen(function* () {
      const attacker = yield* makeClinic
      const target = yield* makeTarget
      // The same operations as the organization itself: what was looked for is there to be found.
      const own: Readonly<Record<string, Effect.Effect<Answer, never, Suite>>> = {
        me: call("GET", "/api/v1/users/me", {
          key: target.clinic.key,
          headers: { authorization: `Bearer ${target.accessToken}` }
        }),
        detail: call("GET", `/api/v1/customer-case-detail?caseId=${target.caseId}`, { key: target.clinic.key }),
        appointments: listAppointments(target.clinic, { user_email: target.user.email }),
        bundles: call("GET", "/api/v1/organization/bundles", { key: target.clinic.key }),
        profile: act(target.clinic.key, "UPDATE_PROFILE", { email: target.user.email })
      }
      for (const [operation, attempt] of Object.entries(own)) {
        const answer = yield* attempt
        assert.include(told(answer), canary, operation)
        if (operation !== "bundles") assert.include(told(answer), target.patientId, operation)
      }

      const before = yield* everythingOf(target)
      for (const [operation, [statuses, attempt]] of Object.entries(attempts)) {
        const answer = yield* attempt(attacker, target)
        assert.include(statuses, answer.status, operation)
        assert.notInclude(told(answer), canary, operation)
        assert.notInclude(told(answer), target.patientId, operation)
      }
      assert.deepStrictEqual(yield* everythingOf(target), before)

      assert.strictEqual((yield* refresh(target.clinic.key, target.refreshToken)).status, 200)
    })
  )

  it.effect(
    "what is another organization's is answered as what does not exist, unless the specification tells them apart",
    () =>
      Effect.gen(function* () {
        const attacker = yield* makeClinic
        const target = yield* makeTarget
        const unknown = unknownOf(target)
        const shape = ({ json, status }: Answer, { user }: Target): { readonly status: number } => ({
          status,
          ...JSON.parse(
            JSON.stringify(json)
              .replaceAll(user.email, "<email>")
              .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")
              .replace(/\b(pi|seti|whsec)_[\w+/=]+/g, "<id>")
              .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
          )
        })
        for (const [operation, [, attempt]] of Object.entries(attempts)) {
          const foreign = shape(yield* attempt(attacker, target), target)
          const nobodys = shape(yield* attempt(attacker, unknown), unknown)
          const [ofForeign, ofNobodys] = toldApart[operation] ?? []
          if (ofForeign === undefined || ofNobodys === undefined) {
            assert.deepStrictEqual(foreign, nobodys, operation)
          } else {
            assert.deepInclude(foreign, ofForeign, operation)
            assert.deepInclude(nobodys, ofNobodys, operation)
            assert.notDeepEqual(foreign, nobodys, operation)
          }
        }
      })
  )

  it.effect("a patient's token of another organization opens nothing, and changes no answer", () =>
    Effect.gen(function* () {
      const attacker = yield* makeClinic
      const target = yield* makeTarget
      const headers = { authorization: `Bearer ${target.accessToken}` }
      const me = yield* call("GET", "/api/v1/users/me", { key: target.clinic.key, headers })
      assert.include(told(me), target.patientId)
      const before = yield* everythingOf(target)
      for (const [operation, [statuses, attempt]] of Object.entries(attempts)) {
        const answer = yield* Effect.provideService(attempt(attacker, target), CallHeaders, headers)
        assert.include(statuses, answer.status, operation)
        assert.notInclude(told(answer), canary, operation)
        assert.notInclude(told(answer), target.patientId, operation)
      }
      assert.deepStrictEqual(yield* everythingOf(target), before)
    })
  )

  it.effect("the operator cannot join what belongs to two organizations", () =>
    Effect.gen(function* () {
      const other = yield* makeClinic
      const target = yield* makeTarget
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
      const decision = {
        isApproved: true,
        isNoDecision: false,
        decisionText: "",
        visitType: "ASYNC_TEXT_EMAIL",
        startDate: "2026-01-01T00:00:00Z",
        endDate: "2026-02-01T00:00:00Z",
        medInfo: []
      }
      const own: string = (yield* admin("POST", `${at}/members`, { ...member, email: "own@other.example.com" })).json.id
      yield* until(admin("GET", `/cases/${caseId}`), ({ json }) => json.status === "ASSIGNED")
      const refused = [
        admin("POST", `${at}/bundles`, { ...bundle, productIds: [target.clinic.productId] }),
        admin("POST", `${at}/bundles`, { ...bundle, intakeFormId: target.formId }),
        admin("POST", `/cases/${caseId}/assign`, { providerId: target.providerId }),
        admin("POST", `/cases/${caseId}/decisions`, { ...decision, addedByUserId: target.providerId }),
        admin("POST", `/cases/${caseId}/decisions`, {
          ...decision,
          addedByUserId: own,
          productId: target.clinic.productId
        }),
        admin("POST", `/cases/${caseId}/comments`, {
          authorUserId: target.patientId,
          text: "Hello",
          isRestricted: false
        }),
        admin("POST", `/cases/${caseId}/attachments`, {
          uploadedByUserId: target.patientId,
          fileName: "a.pdf",
          content: pdf
        })
      ]
      for (const attempt of refused) {
        const answer = yield* attempt
        assert.strictEqual(answer.status, 422, told(answer))
        assert.isNotEmpty(answer.json.detail)
        assert.notInclude(told(answer), canary)
      }
    })
  )
})
