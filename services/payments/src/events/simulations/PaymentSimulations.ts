import { callers, type RequestInvalid, StepRefused } from "@care/domain/http"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import {
  type PaymentAmountTooHigh,
  PaymentNotFound,
  type PaymentSnapshot,
  type PaymentStep,
  PaymentStepName,
  toMinorUnits
} from "@care/domain/payments"
import { CurrentIdentity, execute, inTransaction, newest, Time } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { AdminPayments, gatewayMoneyOf, type PaymentRow, Payments, partOf } from "../../payments/index.ts"
import { GatewayEvents } from "../GatewayEvents.ts"
import { makeGatewayEventsRepo } from "../GatewayEventsRepo.ts"
import { HoldExpiries } from "./HoldExpiries.ts"
import {
  heldDays,
  type KnownIntent,
  simulatedEvent,
  simulatedEventId,
  simulatedUpdateOf,
  stepsOf
} from "./paymentSteps.ts"

const maxPayments = 100

interface Known {
  readonly payment: PaymentRow
  readonly intent: KnownIntent
}

/** What patients, banks and the gateway do with the payments of sandboxes' cases. */
export class PaymentSimulations extends Context.Service<
  PaymentSimulations,
  {
    /** Returns the steps that are possible for any payment of a case. */
    readonly possible: (organizationId: OrganizationId, caseId: CaseId) => Effect.Effect<ReadonlyArray<PaymentStepName>>
    /** Applies the event that the gateway would send of a step, once for each id, and returns the payment after it. */
    readonly simulate: (
      organizationId: OrganizationId,
      caseId: CaseId,
      id: string,
      step: PaymentStep
    ) => Effect.Effect<PaymentSnapshot, StepRefused | PaymentNotFound | PaymentAmountTooHigh | RequestInvalid>
  }
>()("@care/payments/simulations/PaymentSimulations") {
  static readonly layer = Layer.effect(
    PaymentSimulations,
    Effect.gen(function* () {
      const admin = yield* AdminPayments
      const events = yield* GatewayEvents
      const expiries = yield* HoldExpiries
      const payments = yield* Payments
      const repo = yield* makeGatewayEventsRepo
      const sql = yield* SqlClient.SqlClient

      // Those at the gateway, newest first.
      const knownOf = Effect.fnUntraced(function* (organizationId: OrganizationId, caseId: CaseId) {
        const ofCase = yield* admin.newestOfCase(organizationId, caseId, newest, maxPayments)
        const known: Array<Known> = []
        for (const { gateway, paymentId } of ofCase) {
          if (gateway === null) continue
          const { intentId } = gateway
          const payment = yield* payments.find(organizationId, paymentId)
          const intent = yield* payments.findIntent(intentId)
          if (Option.isNone(payment) || Option.isNone(intent)) continue
          const money = gatewayMoneyOf(payment.value, intent.value)
          const { state } = intent.value
          known.push({ payment: payment.value, intent: { money, intentId, organizationId, state } })
        }
        return known
      })

      const snapshotOf = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        caseId: CaseId,
        intentId: string
      ) {
        const found = (yield* knownOf(organizationId, caseId)).find(({ intent }) => intent.intentId === intentId)
        const { payment } = yield* Effect.orDie(Effect.fromOption(Option.fromUndefinedOr(found)))
        const { id: paymentId, outcome, status, version } = payment
        return { organizationId, caseId, paymentId, status, outcome, version }
      })

      const targetOf = Effect.fnUntraced(function* (organizationId: OrganizationId, caseId: CaseId, step: PaymentStep) {
        const { paymentId } = step
        const known = yield* knownOf(organizationId, caseId)
        const named = known.filter(({ payment }) => paymentId === undefined || payment.id === paymentId)
        if (named.length === 0 && paymentId !== undefined) return yield* new PaymentNotFound({ paymentId })
        const target = named.find(({ intent }) => stepsOf(intent).includes(step.step))
        return target ?? (yield* new StepRefused())
      })

      const unitsOf = Effect.fnUntraced(function* (step: PaymentStep, { intent: { money } }: Known) {
        if (step.step !== "PAYMENT_REFUNDED") return 0
        return toMinorUnits(yield* partOf(money, money.refundable, { amount: step.amount }), money.exponent)
      })

      const apply = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        caseId: CaseId,
        id: string,
        step: PaymentStep
      ) {
        yield* execute(sql`SELECT pg_advisory_xact_lock(hashtext('simulation'), hashtext(${caseId}))`)
        const applied = Option.getOrNull(yield* repo.intentOf(simulatedEventId(id)))?.intentId
        if (typeof applied === "string") return applied
        const target = yield* targetOf(organizationId, caseId, step)
        const units = yield* unitsOf(step, target)
        const { intentId } = target.intent
        const now = yield* Time.nowAsDate
        const event = simulatedEvent(step, id, target.intent, units, now)
        yield* events.catchUp(event, simulatedUpdateOf(event, step, now))
        if (step.step === "PAYMENT_AUTHORIZED") {
          yield* expiries.offer({ organizationId, intentId }, { delay: `${heldDays} days` })
        }
        return intentId
      }, inTransaction(sql))

      return PaymentSimulations.of({
        possible: Effect.fn("PaymentSimulations.possible")(function* (organizationId, caseId) {
          const possible = new Set((yield* knownOf(organizationId, caseId)).flatMap(({ intent }) => stepsOf(intent)))
          return PaymentStepName.literals.filter((step) => possible.has(step))
        }),

        simulate: Effect.fn("PaymentSimulations.simulate")(
          function* (organizationId, caseId, id, step) {
            const intentId = yield* apply(organizationId, caseId, id, step)
            return yield* snapshotOf(organizationId, caseId, intentId)
          },
          // The gateway reports it.
          Effect.provideService(CurrentIdentity, { _tag: callers.stripe.kind })
        )
      })
    })
  ).pipe(Layer.provide([AdminPayments.layer, GatewayEvents.layer, HoldExpiries.layer, Payments.layer]))
}
