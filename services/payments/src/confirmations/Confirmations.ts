import { Audit } from "@care/audit"
import type { CaseForbidden, CaseNotFound } from "@care/domain/cases"
import { type IdempotencyConflict, RequestInvalid } from "@care/domain/http"
import { type OrganizationId, PaymentId, type UserId, Uuid } from "@care/domain/ids"
import { amountProblem, type PaymentConfirmation, toAmount } from "@care/domain/payments"
import { Once, onceOperation } from "@care/once"
import { makePatientKeys, type PatientKey } from "@care/phi"
import { inTransaction, Time } from "@care/service-kit"
import { Context, Data, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CaseOwners, type NewPayment, type PaymentRow, Payments, uuidOf } from "../payments/index.ts"
import { type ConfirmationRow, makeConfirmationsRepo } from "./ConfirmationsRepo.ts"

const ids = { confirmationId: Uuid, paymentId: PaymentId }
type Ids = { readonly confirmationId: string; readonly paymentId: PaymentId }

const confirmPayment = onceOperation({ name: "confirmPayment", version: 1, ids, answer: Schema.Void })

type Refusal = RequestInvalid | CaseNotFound | CaseForbidden | IdempotencyConflict

const readUuid = Schema.decodeUnknownOption(Uuid)

// A decision may have any name. A UUID is used itself, and any other name is hashed into one.
const decisionIdOf = ({ caseId }: PaymentConfirmation, decision: string): string =>
  Option.getOrElse(readUuid(decision), () => uuidOf(`decision ${caseId} ${decision}`))

/** The case has no initial payment that can be confirmed. */
class InitialNotOpen extends Data.TaggedError("InitialNotOpen") {}

// The payment is not at the gateway, and has no outcome.
const isOpen = ({ providerReferenceId, status }: PaymentRow) => providerReferenceId === null && status === "UNPAID"

const additionalPayment = (row: ConfirmationRow, userId: UserId, currency: string): NewPayment => ({
  organizationId: row.organizationId,
  id: row.paymentId,
  caseId: row.caseId,
  userId,
  productId: null,
  isInitial: false,
  isPrepared: false,
  status: row.status,
  currency,
  grossAmount: row.amount,
  discount: null,
  amount: row.amount,
  description: row.description,
  providerReferenceType: null,
  providerReferenceId: null,
  intentId: null
})

/** The confirmations of payments that were made outside the service. */
export class Confirmations extends Context.Service<
  Confirmations,
  {
    /**
     * Records an organization's confirmation of a payment. One of the same day, amount and decision as before is of the
     * same payment, which gets the new status; all confirmations are kept. The first confirmation is of the case's
     * initial payment, if that is open and not at the gateway; else it creates a payment.
     */
    readonly confirm: (
      organizationId: OrganizationId,
      confirmation: PaymentConfirmation,
      idempotencyKey: string | undefined
    ) => Effect.Effect<void, Refusal>
  }
>()("@care/payments/confirmations/Confirmations") {
  static readonly layer = Layer.effect(
    Confirmations,
    Effect.gen(function* () {
      const audit = yield* Audit
      const once = yield* Once
      const owners = yield* CaseOwners
      const payments = yield* Payments
      const repo = yield* makeConfirmationsRepo
      const patientKeys = yield* makePatientKeys
      const sql = yield* SqlClient.SqlClient

      const requireAmount = Effect.fnUntraced(function* ({ amount }: ConfirmationRow, currency: string) {
        const problem = amountProblem(Number(amount), currency)
        if (problem !== undefined) return yield* RequestInvalid.inPayload("amount", problem)
      })

      // Of several first confirmations in parallel, one takes the initial payment.
      const confirmInitial = Effect.fnUntraced(function* (row: ConfirmationRow) {
        const { caseId, organizationId, status } = row
        const { id } = yield* Effect.mapError(
          Effect.fromOption(yield* payments.findInitial(organizationId, caseId)),
          () => new InitialNotOpen()
        )
        const change = payments.change(organizationId, id, (before) =>
          Effect.flatMap(repo.isConfirmed(organizationId, id), (isConfirmed) =>
            isOpen(before) && !isConfirmed ? Effect.succeed({ ...before, status }) : Effect.fail(new InitialNotOpen())
          )
        )
        yield* Effect.catchTag(change, "PaymentNotFound", Effect.die)
        yield* repo.setPayment(row, id)
      })

      // A repetition of the last confirmation adds nothing.
      const confirmAgain = Effect.fnUntraced(function* (key: PatientKey, row: ConfirmationRow, paymentId: PaymentId) {
        const { description, organizationId, status, validUntil } = row
        const last = yield* repo.newest(organizationId, paymentId)
        const isRepeated = last.status === status && last.validUntil === validUntil && last.description === description
        if (!isRepeated) yield* repo.insert(key, { ...row, paymentId, ordinal: last.ordinal + 1 })
        const change = payments.change(organizationId, paymentId, (before) => Effect.succeed({ ...before, status }))
        yield* Effect.catchTag(change, "PaymentNotFound", Effect.die)
      })

      // Locks are taken in one order: the confirmation, then the payment.
      const record = Effect.fnUntraced(function* (row: ConfirmationRow, userId: UserId) {
        const { caseId, organizationId } = row
        const key = yield* patientKeys.of(organizationId, userId)
        yield* audit.changed({ organizationId, action: "PAYMENT_CONFIRMED", caseId, userId })
        const existing = yield* repo.lock(row)
        if (Option.isSome(existing)) return yield* confirmAgain(key, row, existing.value.paymentId)
        const currency = yield* payments.currencyOf(organizationId, caseId)
        yield* requireAmount(row, currency)
        // A parallel request may have stored the same confirmation.
        if (!(yield* repo.insert(key, row))) {
          const { paymentId } = Option.getOrThrow(yield* repo.lock(row))
          return yield* confirmAgain(key, row, paymentId)
        }
        yield* Effect.catchTag(confirmInitial(row), "InitialNotOpen", () =>
          Effect.orDie(payments.add(additionalPayment(row, userId, currency)))
        )
      })

      const begin = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        confirmation: PaymentConfirmation,
        { confirmationId, paymentId }: Ids
      ) {
        const { amount, caseId, decisionId, description = null, paymentDate, status, validUntil } = confirmation
        const userId = yield* owners.patientOf(organizationId, caseId)
        const row = {
          organizationId,
          id: confirmationId,
          paymentId,
          ordinal: 1,
          caseId,
          decisionId: decisionId === undefined ? null : decisionIdOf(confirmation, decisionId),
          externalDecision: decisionId ?? null,
          status,
          amount: toAmount(amount),
          paymentDate,
          validUntil,
          description,
          reportedAt: yield* Time.nowAsDate
        }
        return inTransaction(sql)(record(row, userId))
      })

      return Confirmations.of({
        confirm: Effect.fn("Confirmations.confirm")((organizationId, confirmation, key) =>
          once.run(confirmPayment, { organizationId, key, body: confirmation }, (ids) =>
            begin(organizationId, confirmation, ids)
          )
        )
      })
    })
  ).pipe(Layer.provide([CaseOwners.layer, Payments.layer]))
}
