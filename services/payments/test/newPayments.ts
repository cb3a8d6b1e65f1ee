import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { CaseForbidden, CaseNotFound } from "@care/domain/cases"
import { CaseId, PaymentId, type UserId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { Once } from "@care/once"
import { layerTestCipher } from "@care/phi/testing"

import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"

import { SqlClient } from "effect/sql"
import { NewPayments } from "../src/casePayments/newPayments/NewPayments.ts"
import { SavedMethods } from "../src/customers/savedMethods/SavedMethods.ts"
import { CaseOwners } from "../src/payments/caseOwners/CaseOwners.ts"
import { makeSettleOperation } from "../src/payments/operations/makeSettleOperation.ts"
import { PendingOperations } from "../src/payments/operations/PendingOperations.ts"
import { Payments } from "../src/payments/Payments.ts"
import { ProductLookup } from "../src/payments/products/ProductLookup.ts"
import { PaymentIntents } from "../src/stripe/PaymentIntents.ts"
import { newPatient } from "./newPatient.ts"
import { hasUnknownOutcome, layerTestStripe, TestStripe } from "./testStripe.ts"

const patients = new Map<CaseId, UserId>()

/** A case of another organization. */
export const foreign = CaseId.make(randomUUID())

const layerOwners = Layer.mock(CaseOwners, {
  patientOf: (_organizationId, caseId) => {
    const userId = patients.get(caseId)
    if (userId !== undefined) return Effect.succeed(userId)
    return Effect.fail(caseId === foreign ? new CaseForbidden({ caseId }) : new CaseNotFound())
  }
})

/** Payments of patients whose cases are `someone`'s, with the stand-in for Stripe. */
export const layerNewPayments = Layer.mergeAll(
  NewPayments.layer,
  PendingOperations.layer,
  PaymentIntents.layer,
  Payments.layer
).pipe(
  Layer.provideMerge([layerOwners, Layer.mock(ProductLookup, {}), SavedMethods.layer, Once.layer, layerTestStripe]),
  Layer.provideMerge([layerIdleJobs]),
  Layer.provideMerge([layerAuditedDatabase("payments"), layerTestCipher])
)

/** Makes a patient whose case is known. */
export const someone = (card?: string) =>
  Effect.tap(newPatient(card), ({ caseId, userId }) => Effect.sync(() => patients.set(caseId, userId)))

export type Patient = Effect.Success<ReturnType<typeof newPatient>>

const defaultBody = { amount: 299.99, description: "Second month", preauthorize: true }

/** Creates a payment, by default an authorized one of 299.99 USD. */
export const create = ({ caseId, organizationId }: Patient, body: object = {}, key?: string) =>
  Effect.flatMap(NewPayments, (payments) => payments.create(organizationId, caseId, { ...defaultBody, ...body }, key))

/** The payments of a patient without the initial one. */
export const rows = ({ organizationId }: Patient) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ id: string; status: string; amount: string; currency: string; operationId: string | null }>`
      SELECT id, status, trim_scale(amount)::text AS amount, currency, operation_id FROM payments
      WHERE organization_id = ${organizationId} AND NOT is_initial ORDER BY created_at, id
    `
  )

/** Runs the due jobs. */
export const settleAll = Effect.fnUntraced(function* (patient: Patient) {
  const settle = yield* makeSettleOperation
  const { organizationId } = patient
  for (const { id, operationId } of yield* rows(patient)) {
    if (operationId !== null) yield* settle({ organizationId, paymentId: PaymentId.make(id), operationId })
  }
})

/** The gateway's paths of an authorization. */
export const steps = {
  "making the intent": "/v1/payment_intents",
  "holding the amount": "/v1/payment_intents/*/confirm"
} as const

/** The kinds of trouble that leave the outcome unknown. */
export const troubles = ["timeOutBefore", "timeOutAfter", "hangUpBefore", "hangUpAfter", "rateLimit"] as const

/**
 * Makes a request of a patient, by default a new one, with trouble at one of the paths, and returns them with the key of
 * the request. The client retries what hung up once.
 */
export const failed = Effect.fnUntraced(function* (path: string, does: (typeof troubles)[number], existing?: Patient) {
  const patient = existing ?? (yield* someone("pm_card_visa"))
  const key = randomUUID()
  const { control, withShortTimeout } = yield* TestStripe
  yield* control.addTrouble({ method: "POST", path, does, times: 2 })
  assert.isTrue(hasUnknownOutcome(yield* withShortTimeout(Effect.exit(create(patient, {}, key)))))
  assert.isNotNull((yield* rows(patient))[0]?.operationId)
  yield* control.clearTroubles
  return { key, patient }
})

/** The patient's authorized intents at the gateway. */
export const authorizedIntents = (patient: Patient) =>
  Effect.map(patient.intents, (all) => all.filter(({ status }) => status === "requires_capture"))

/** Asserts that a request with a key is authorized, and that there is one authorized intent. */

export const holdsOnce = Effect.fnUntraced(function* (patient: Patient, key?: string) {
  assert.strictEqual((yield* create(patient, {}, key)).status, "AUTHORIZED")
  assert.lengthOf(yield* authorizedIntents(patient), 1)
})
