import { type CaseForbidden, type CaseNotFound, CasesApi } from "@care/domain/cases"
import { type IdempotencyConflict, RequestInvalid } from "@care/domain/http"
import { type OrganizationId, PaymentId, type UserId, Uuid } from "@care/domain/ids"
import { amountProblem, type PaymentConfirmation, toAmount } from "@care/domain/payments"
import { Audit, inTransaction, makePatientKeys, Once, onceOperation, type PatientKey, peer } from "@care/service-kit"
import { Context, Data, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CaseOwners } from "../caseOwners/CaseOwners.ts"
import { type NewPayment, Payments } from "../payments/Payments.ts"
import type { PaymentRow } from "../payments/PaymentsRepo.ts"
import { type ConfirmationRow, makeConfirmationsRepo } from "./ConfirmationsRepo.ts"

const ids = { confirmationId: Uuid, paymentId: PaymentId }
type Ids = { readonly confirmationId: string; readonly paymentId: PaymentId }

const confirmation = onceOperation({ name: "confirmPayment", version: 1, ids, answer: Schema.Void })

type Refusal = RequestInvalid | CaseNotFound | CaseForbidden | IdempotencyConflict

/** The payment that the case began with is another one than what was told of. */
class NotTheInitial extends Data.TaggedError("NotTheInitial") {}

// The gateway has no part in it, and nothing is known to have become of it.
const isOpen = ({ providerReferenceId, status }: PaymentRow) => providerReferenceId === null && status === "UNPAID"

const paymentBeside = (row: ConfirmationRow, userId: UserId, currency: string): NewPayment => ({
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

/** Payments that were made outside the service. */
export class Confirmations extends Context.Service<
  Confirmations,
  {
    /**
     * Takes in what an organization tells of a payment of a case. What was told of the same day and decision before was the
     * same payment, which moves to the new status. Of what is told for the first time the payment is the one that the case
     * began with, if that is still open and the gateway has no part in it; or else a new one beside it.
     */
    readonly confirm: (
      organizationId: OrganizationId,
      told: PaymentConfirmation,
      idempotencyKey: string | undefined
    ) => Effect.Effect<void, Refusal>
  }
>()("@care/payments/confirmations/Confirmations") {
  static readonly layer = Layer.effect(
    Confirmations,
    Effect.gen(function* () {
      const audit = yield* Audit
      const cases = yield* peer(CasesApi, "caseFacts")
      const once = yield* Once
      const owners = yield* CaseOwners
      const payments = yield* Payments
      const repo = yield* makeConfirmationsRepo
      const patientKeys = yield* makePatientKeys
      const sql = yield* SqlClient.SqlClient

      const requireDecision = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        { caseId, decisionId }: PaymentConfirmation
      ) {
        if (decisionId === undefined) return
        const params = { organizationId, caseId, decisionId }
        const { isKnown } = yield* Effect.orDie(cases.decision({ params }))
        if (!isKnown) return yield* RequestInvalid.inPayload("decisionId", "is no decision of the case")
      })

      const requireAmount = Effect.fnUntraced(function* ({ amount }: ConfirmationRow, currency: string) {
        const problem = amountProblem(Number(amount), currency)
        if (problem !== undefined) return yield* RequestInvalid.inPayload("amount", problem)
      })

      // Of several that are told of at once the first one to get here has it.
      const takeInitial = Effect.fnUntraced(function* (key: PatientKey, row: ConfirmationRow) {
        const { caseId, organizationId, status } = row
        const { id } = yield* Effect.mapError(
          Effect.fromOption(yield* payments.findInitial(organizationId, caseId)),
          () => new NotTheInitial()
        )
        const taken = payments.change(organizationId, id, (before) =>
          Effect.flatMap(repo.isConfirmed(organizationId, id), (isConfirmed) =>
            isOpen(before) && !isConfirmed ? Effect.succeed({ ...before, status }) : Effect.fail(new NotTheInitial())
          )
        )
        yield* Effect.catchTag(taken, "PaymentNotFound", Effect.die)
        yield* repo.update(key, { ...row, paymentId: id })
      })

      // Locks are taken in one order: what was told of the payment, then the payment. What its amount is checked against is
      // the currency of the payment itself, which may be another one than that of the case's by now.
      const take = Effect.fnUntraced(function* (row: ConfirmationRow, userId: UserId) {
        const { amount, caseId, organizationId, status } = row
        const key = yield* patientKeys.of(organizationId, userId)
        yield* audit.changed({ organizationId, action: "PAYMENT_CONFIRMED", caseId, userId })
        const currency = yield* payments.currencyOf(organizationId, caseId)
        if (yield* repo.insert(key, row)) {
          yield* requireAmount(row, currency)
          yield* Effect.catchTag(takeInitial(key, row), "NotTheInitial", () =>
            Effect.orDie(payments.add(paymentBeside(row, userId, currency)))
          )
          return
        }
        const known = yield* repo.lock(row)
        yield* repo.update(key, { ...row, ...known })
        // What a case began with is worth what it was asked for.
        const after = (before: PaymentRow) =>
          Effect.as(requireAmount(row, before.currency ?? currency), {
            ...before,
            status,
            ...(!before.isInitial && { grossAmount: amount, amount })
          })
        yield* Effect.catchTag(payments.change(organizationId, known.paymentId, after), "PaymentNotFound", Effect.die)
      })

      const confirmed = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        told: PaymentConfirmation,
        { confirmationId, paymentId }: Ids
      ) {
        const { amount, caseId, decisionId = null, description = null, paymentDate, status, validUntil } = told
        const userId = yield* owners.patientOf(organizationId, caseId)
        yield* requireDecision(organizationId, told)
        const row = {
          organizationId,
          id: confirmationId,
          paymentId,
          caseId,
          decisionId,
          status,
          amount: toAmount(amount),
          paymentDate,
          validUntil,
          description,
          toldAt: yield* DateTime.nowAsDate
        }
        return inTransaction(sql)(take(row, userId))
      })

      return Confirmations.of({
        confirm: Effect.fn("Confirmations.confirm")((organizationId, told, key) =>
          once.run(confirmation, { organizationId, key, body: told }, (ids) => confirmed(organizationId, told, ids))
        )
      })
    })
  ).pipe(Layer.provide([CaseOwners.layer, Payments.layer]))
}
