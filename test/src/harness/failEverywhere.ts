import type { ServiceName } from "@care/domain/peers"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call } from "./call.ts"
import { inDatabase } from "./database.ts"
import { type Clinic, caseBody, createCase } from "./fixtures.ts"
import { metricsOf } from "./metricsOf.ts"
import { newPayment } from "./references.ts"
import { Suite } from "./Suite.ts"

/**
 * Makes each service fail in the middle of a request that contains a secret text, so that a test can search its logs for the text. Renames
 * tables for that, so the suite cannot be used afterwards.
 */
export const failEverywhere = Effect.fnUntraced(function* (
  clinic: Clinic,
  secret: string,
  email: string,
  caseId: string
) {
  const { key } = clinic
  const withTableMissing = <A, E, R>(service: ServiceName, table: string, request: Effect.Effect<A, E, R>) =>
    Effect.andThen(
      inDatabase(service, (sql) => sql`ALTER TABLE ${sql(`${service}.${table}`)} RENAME TO broken`),
      request
    )
  const payment = { ...(yield* newPayment), description: secret }
  const question = { question: "How do you feel?", answer: secret, type: "TEXT" }
  const create = (changes: Readonly<Record<string, unknown>>) =>
    Effect.suspend(() => createCase(clinic, caseBody(clinic, changes)))
  const action = { action: "UPDATE_PROFILE", data: { email, allergies: secret } }
  const detail = `/api/v1/customer-case-detail?caseId=${caseId}&includeCalendarEvents=true`
  const answers = [
    yield* withTableMissing("payments", "payments", create({ payment })),
    yield* withTableMissing("scheduling", "calendar_events", call("GET", detail, { key })),
    yield* withTableMissing(
      "cases",
      "form_responses",
      create({ products: [{ id: clinic.productId, form: { questions: [question] } }] })
    ),
    yield* withTableMissing("auth", "users", call("POST", "/api/v1/users", { key, body: action }))
  ]
  assert.deepStrictEqual(
    answers.map(({ status }) => status),
    [503, 503, 500, 500]
  )
  assert.include(yield* metricsOf((yield* Suite).urls.payments), 'status="500"')
})
