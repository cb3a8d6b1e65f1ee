import { personReplica } from "@care/domain/auth"
import { paymentReplica } from "@care/domain/payments"
import { calendarEventReplica } from "@care/domain/scheduling"
import { layerAcceptor } from "@care/replicas"
import { Effect, Layer } from "effect"
import { ReplicatedProviders } from "./assignment/ReplicatedProviders.ts"
import { makeAcceptCalendarEvent } from "./calendarEvents/makeAcceptCalendarEvent.ts"
import { CaseOpenings } from "./lifecycle/CaseOpenings.ts"
import { CaseReplication } from "./lifecycle/CaseReplication.ts"
import { Cases } from "./lifecycle/Cases.ts"
import { makeAcceptPayment } from "./payments/makeAcceptPayment.ts"

/** Accepts snapshots of people, payments and calendar events, and sends snapshots of cases to scheduling. */
export const ReplicasFeature = Layer.mergeAll(
  CaseReplication.layerWorker,
  layerAcceptor(calendarEventReplica, makeAcceptCalendarEvent),
  layerAcceptor(paymentReplica, makeAcceptPayment),
  layerAcceptor(
    personReplica,
    Effect.map(ReplicatedProviders, ({ personChanged }) => personChanged)
  )
).pipe(Layer.provide([Cases.layer, CaseOpenings.layer, ReplicatedProviders.layer]))
