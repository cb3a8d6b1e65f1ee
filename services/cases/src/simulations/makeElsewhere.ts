import { RequestInvalid } from "@care/domain/http"
import { type CaseId, type OrganizationId, Uuid } from "@care/domain/ids"
import type { PaymentStep } from "@care/domain/payments"
import { paymentSimulationsApi } from "@care/domain/payments"
import { type AppointmentStep, appointmentSimulationsApi } from "@care/domain/scheduling"
import { peer, unexpected } from "@care/service-kit"
import { Effect } from "effect"
import type { StepOf } from "./makeCareTeamSteps.ts"
import type { Elsewhere } from "./possibleSteps.ts"

const slotMissing = () => RequestInvalid.inPayload("startTime", "must be an open slot of the event type")

/** Makes the functions that ask the other services what is possible for a case, and let them do it, once for each id of a step. */
export const makeElsewhere = Effect.gen(function* () {
  const payments = yield* peer(paymentSimulationsApi, "paymentSimulations")
  const appointments = yield* peer(appointmentSimulationsApi, "appointmentSimulations", { callsThirdParty: true })

  return {
    possible: (organizationId: OrganizationId, caseId: CaseId): Effect.Effect<Elsewhere> => {
      const params = { organizationId, caseId }
      return Effect.all([payments.possible({ params }), appointments.possible({ params })], {
        concurrency: "unbounded"
      }).pipe(
        Effect.map(([ofPayments, { hasBegun, steps }]) => ({ payments: ofPayments, appointments: steps, hasBegun })),
        Effect.orDie
      )
    },

    pay: ({ id, step, ...params }: StepOf<PaymentStep>) =>
      payments.simulate({ params, payload: { id: Uuid.make(id), step } }).pipe(
        Effect.catchTags({
          ...unexpected,
          PaymentNotFound: () => RequestInvalid.inPayload("paymentId", "must be a payment of the case"),
          PaymentAmountTooHigh: ({ most }) => RequestInvalid.inPayload("amount", `must be at most ${most}`)
        })
      ),

    meet: ({ id, step, ...params }: StepOf<AppointmentStep>) =>
      appointments.simulate({ params, payload: { id: Uuid.make(id), step } }).pipe(
        Effect.catchTags({
          ...unexpected,
          AppointmentNotFound: () => RequestInvalid.inPayload("appointmentId", "must be an appointment of the case"),
          EventTypeUnknown: () => RequestInvalid.inPayload("eventTypeId", "must be one of the scheduling provider's"),
          EventTypeShared: () => RequestInvalid.inPayload("eventTypeId", "must not have several places a slot"),
          ProviderRefused: () => RequestInvalid.inPayload("eventTypeId", "must be bookable"),
          SlotMissing: slotMissing,
          SlotTaken: slotMissing
        })
      )
  }
})
