import { Audit } from "@care/audit"
import type { CaseId, OrganizationId, PaymentId } from "@care/domain/ids"
import { defaultCurrency, fromMinorUnits, PaymentNotFound } from "@care/domain/payments"
import { makePatientKeys, ofNobody, type Sealer } from "@care/phi"
import { inTransaction, organizationScope, Time } from "@care/service-kit"
import { Context, Data, Effect, Equal, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import {
  emptyIntentState,
  type IntentState,
  type IntentUpdate,
  mergeIntentStates,
  stripeExponent
} from "../stripe/index.ts"
import { PaymentReplication } from "./PaymentReplication.ts"
import { type IntentRow, makePaymentsRepo, type PaymentRow } from "./PaymentsRepo.ts"
import { outcomeOf, statusOf } from "./paymentState.ts"

/** The intent pays another payment of the organization, or was made for another organization (`isForeign`). */
export class IntentTaken extends Data.TaggedError("IntentTaken")<{ readonly isForeign: boolean }> {}

/** A new payment. Its status follows from its intent, if it has one. */
export type NewPayment = Omit<
  PaymentRow,
  | "outcome"
  | "version"
  | "differsFromGateway"
  | "operation"
  | "operationId"
  | "operationAmount"
  | "operationSince"
  | "createdAt"
>

const worthOf = ({ worth }: IntentState): Pick<IntentRow, "amount" | "currency"> =>
  worth === null
    ? { amount: null, currency: null }
    : { amount: fromMinorUnits(worth.units, stripeExponent(worth.currency)), currency: worth.currency }

// Returns a payment with the state of the intent that pays it.
const withIntent = (payment: PaymentRow, { amount, currency, state }: IntentRow): PaymentRow => {
  const status = statusOf(state)
  return {
    ...payment,
    status: status === "UNPAID" ? payment.status : status,
    outcome: payment.isInitial ? outcomeOf(state) : null,
    differsFromGateway:
      amount !== null && payment.amount !== null && (amount !== payment.amount || currency !== payment.currency)
  }
}

const emptyUpdateOf = (intentId: string): IntentUpdate => ({
  intentId,
  organizationId: undefined,
  state: emptyIntentState
})

// Returns since when an intent without a payment has money of an organization's patient; null if it has none. A partial
// refund means that an operator has seen it.
const unclaimedSince = ({ state, organizationId }: IntentRow, now: Date): Date | null => {
  const hasMoney = ["AUTHORIZED", "PAID", "IN_DISPUTE"].includes(statusOf(state))
  if (organizationId === null || !hasMoney) return null
  return state.worth === null ? now : new Date(state.worth.asOf * 1000)
}

/** Payments and their changes. All other parts read and change payments through this service. */
export class Payments extends Context.Service<
  Payments,
  {
    /**
     * Returns the owner of a payment. The only lookup that takes no organization id, because operator paths name a
     * payment alone.
     */
    readonly ownerOf: (id: PaymentId) => Effect.Effect<OrganizationId, PaymentNotFound>
    readonly find: (organizationId: OrganizationId, id: PaymentId) => Effect.Effect<Option.Option<PaymentRow>>
    /** Returns a stored payment intent. One that names no organization belongs to that of the first payment that named it. */
    readonly findIntent: (intentId: string) => Effect.Effect<Option.Option<IntentRow>>
    /** Returns the payment that a case began with. */
    readonly findInitial: (organizationId: OrganizationId, caseId: CaseId) => Effect.Effect<Option.Option<PaymentRow>>
    /**
     * Returns the currency for further payments of a case: that of its initial payment, or of that payment's intent, or
     * US dollars.
     */
    readonly currencyOf: (organizationId: OrganizationId, caseId: CaseId) => Effect.Effect<string>
    /**
     * Stores a payment, inside the caller's transaction if there is one, with the state of its intent from `update` and
     * from earlier events. Idempotent for the initial payment of a case.
     */
    readonly add: (payment: NewPayment, update?: IntentUpdate) => Effect.Effect<PaymentRow, IntentTaken>
    /** Removes the prepared payment of a refused case. A payment of a stored case stays. */
    readonly dropPrepared: (organizationId: OrganizationId, caseId: CaseId) => Effect.Effect<void>
    /**
     * Merges an update into its intent, inside the caller's transaction if there is one, and returns the payment that
     * the intent pays, if it has one. Idempotent.
     */
    readonly observe: (
      update: IntentUpdate
    ) => Effect.Effect<Option.Option<{ readonly payment: PaymentRow; readonly isChanged: boolean }>>
    /**
     * Changes a payment under a lock, inside the caller's transaction if there is one. Cases is notified when its
     * status or outcome changes.
     */
    readonly change: <E = never>(
      organizationId: OrganizationId,
      id: PaymentId,
      after: (before: PaymentRow) => Effect.Effect<PaymentRow, E>
    ) => Effect.Effect<PaymentRow, PaymentNotFound | E>
  }
>()("@care/payments/payments/Payments") {
  static readonly layer = Layer.effect(
    Payments,
    Effect.gen(function* () {
      const audit = yield* Audit
      const repo = yield* makePaymentsRepo
      const replication = yield* PaymentReplication
      const sql = yield* SqlClient.SqlClient

      const patientKeys = yield* makePatientKeys

      // A prepared payment has no patient yet.
      const sealerOf = ({ organizationId, userId }: PaymentRow): Effect.Effect<Sealer> =>
        userId === null ? Effect.succeed(ofNobody) : patientKeys.of(organizationId, userId)

      const record = ({ caseId, organizationId, userId }: PaymentRow) =>
        audit.changed({ organizationId, action: "PAYMENT_CHANGED", caseId, userId })

      const notify = ({ id, isPrepared, organizationId }: PaymentRow) =>
        isPrepared ? Effect.void : replication.changed(organizationId, [id])

      // Locks are taken in one order: the intent, then the payment.
      const merge = Effect.fnUntraced(function* ({ state, intentId, organizationId }: IntentUpdate) {
        const now = yield* Time.nowAsDate
        const stored = yield* repo.lockIntent(intentId, emptyIntentState, now)
        const merged = mergeIntentStates(stored.state, state)
        const intent = {
          organizationId: stored.organizationId ?? organizationId ?? null,
          state: merged,
          ...worthOf(merged)
        }
        yield* repo.updateIntent(intentId, intent, now)
        return intent
      })

      const store = Effect.fnUntraced(function* (before: PaymentRow, after: PaymentRow) {
        const isStatusChanged = after.status !== before.status || after.outcome !== before.outcome
        const payment = isStatusChanged ? { ...after, version: before.version + 1 } : after
        if (Equal.equals(payment, before)) return payment
        yield* repo.update(yield* sealerOf(payment), payment, yield* Time.nowAsDate)
        yield* record(payment)
        // A payment that was prepared has not been sent to cases before.
        if (isStatusChanged || (before.isPrepared && payment.version > 1)) yield* notify(payment)
        return payment
      })

      const change = Effect.fnUntraced(function* <E>(
        organizationId: OrganizationId,
        id: PaymentId,
        after: (before: PaymentRow) => Effect.Effect<PaymentRow, E>
      ): Effect.fn.Return<{ readonly before: PaymentRow; readonly payment: PaymentRow }, PaymentNotFound | E> {
        const before = yield* Effect.fromOption(
          yield* repo.lock(organizationId, id),
          () => new PaymentNotFound({ paymentId: id })
        )
        return { before, payment: yield* store(before, yield* after(before)) }
      })

      const intentOf = Effect.fnUntraced(function* (payment: NewPayment, update: IntentUpdate | undefined) {
        const { intentId, organizationId } = payment
        if (intentId === null) return undefined
        const intent = yield* merge(update ?? emptyUpdateOf(intentId))
        const isForeign = intent.organizationId !== null && intent.organizationId !== organizationId
        const isTaken = isForeign || Option.isSome(yield* repo.findPaidBy(organizationId, intentId))
        return isTaken ? yield* new IntentTaken({ isForeign }) : intent
      })

      return Payments.of({
        ownerOf: Effect.fn("Payments.ownerOf")(function* (id) {
          const owner = yield* Effect.fromOption(
            yield* repo.findOwner(id, yield* organizationScope),
            () => new PaymentNotFound({ paymentId: id })
          )
          return owner.organizationId
        }),

        find: Effect.fn("Payments.find")(repo.find),

        findIntent: Effect.fn("Payments.findIntent")(function* (intentId) {
          const intent = yield* repo.findIntent(intentId)
          if (!Option.exists(intent, ({ organizationId }) => organizationId === null)) return intent
          const paid = Option.getOrUndefined(yield* repo.findPaidByAnywhere(intentId))
          return Option.map(intent, (named) => ({ ...named, organizationId: paid?.organizationId ?? null }))
        }),

        findInitial: Effect.fn("Payments.findInitial")(repo.findInitial),

        currencyOf: Effect.fn("Payments.currencyOf")(function* (organizationId, caseId) {
          const initial = yield* repo.findCurrency(organizationId, caseId)
          return Option.getOrUndefined(initial)?.currency ?? defaultCurrency
        }),

        add: Effect.fn("Payments.add")(function* (newPayment, update) {
          const { caseId, isInitial, organizationId } = newPayment
          const existing = isInitial ? yield* repo.findInitial(organizationId, caseId) : Option.none()
          if (Option.isSome(existing)) return existing.value
          const intent = yield* intentOf(newPayment, update)
          const unpaid: PaymentRow = {
            ...newPayment,
            outcome: null,
            version: 1,
            differsFromGateway: false,
            operation: null,
            operationId: null,
            operationAmount: null,
            operationSince: null,
            createdAt: yield* Time.nowAsDate
          }
          const row = intent === undefined ? unpaid : withIntent(unpaid, intent)
          const hasOutcome = row.status !== "UNPAID" || row.outcome !== null
          const payment = hasOutcome ? { ...row, version: 2 } : row
          const isStored = yield* repo.insert(yield* sealerOf(payment), payment)
          if (!isStored) return Option.getOrThrow(yield* repo.findInitial(organizationId, caseId))
          if (payment.intentId !== null) yield* repo.setUnclaimed(payment.intentId, null)
          yield* record(payment)
          if (hasOutcome) yield* notify(payment)
          return payment
        }, inTransaction(sql)),

        // The intent is locked before its payment, as everywhere.
        dropPrepared: Effect.fn("Payments.dropPrepared")(function* (organizationId, caseId) {
          const prepared = Option.getOrUndefined(yield* repo.findInitial(organizationId, caseId))
          const intentId = prepared?.isPrepared === true ? prepared.intentId : null
          const intent = intentId === null ? undefined : yield* merge(emptyUpdateOf(intentId))
          const isDropped = yield* repo.dropPrepared(organizationId, caseId)
          if (!isDropped || intentId === null || intent === undefined) return
          yield* repo.setUnclaimed(intentId, unclaimedSince(intent, yield* Time.nowAsDate))
        }, inTransaction(sql)),

        observe: Effect.fn("Payments.observe")(function* (update) {
          const intent = yield* merge(update)
          const paid =
            intent.organizationId === null
              ? yield* repo.findPaidByAnywhere(update.intentId)
              : yield* repo.findPaidBy(intent.organizationId, update.intentId)
          if (Option.isNone(paid)) {
            yield* repo.setUnclaimed(update.intentId, unclaimedSince(intent, yield* Time.nowAsDate))
            return Option.none()
          }
          const { id, organizationId } = paid.value
          const after = (before: PaymentRow) => Effect.succeed(withIntent(before, intent))
          const { before, payment } = yield* Effect.orDie(change(organizationId, id, after))
          return Option.some({ payment, isChanged: payment.version > before.version })
        }, inTransaction(sql)),

        change: (organizationId, id, after) =>
          change(organizationId, id, after).pipe(
            Effect.map(({ payment }) => payment),
            inTransaction(sql)
          )
      })
    })
  ).pipe(Layer.provide(PaymentReplication.layer))
}
