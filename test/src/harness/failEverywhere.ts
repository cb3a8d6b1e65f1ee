import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call } from "./call.ts"
import { inDatabase } from "./database.ts"
import { type Clinic, caseBody, createCase } from "./fixtures.ts"
import { metricsOf } from "./metricsOf.ts"
import { Suite } from "./Suite.ts"
import { until } from "./until.ts"

/**
 * Fails in the middle of a request with a text, in each of the services, which writes then what it may. Afterwards none of
 * them works.
 */
export const failEverywhere = Effect.fnUntraced(function* (
  clinic: Clinic,
  secret: string,
  email: string,
  caseId: string
) {
  const { key } = clinic
  const without = <A, E, R>(table: string, request: Effect.Effect<A, E, R>) =>
    Effect.andThen(
      inDatabase((sql) => sql`ALTER TABLE ${sql(table)} RENAME TO broken`),
      request
    )
  const providerReference = { type: "SETUP_INTENT", id: "seti_2" }
  const payment = { amount: 10, currency: "USD", description: secret, providerReference }
  const create = Effect.suspend(() => createCase(clinic, caseBody(clinic, { payment })))
  const action = { action: "UPDATE_PROFILE", data: { email, allergies: secret } }
  const detail = `/api/v1/customer-case-detail?caseId=${caseId}&includeCalendarEvents=true`
  const answers = [
    yield* without("payments.payments", create),
    yield* without("scheduling.calendar_events", call("GET", detail, { key })),
    yield* without("cases.form_responses", create),
    yield* without("auth.users", call("POST", "/api/v1/users", { key, body: action }))
  ]
  assert.deepStrictEqual(
    answers.map(({ status }) => status),
    [200, 503, 500, 500]
  )
  // Payments is told by a job.
  yield* until(metricsOf((yield* Suite).urls.payments), (text) => text.includes('status="500"'))
})
