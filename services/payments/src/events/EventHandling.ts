import { OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Effect, Schema } from "effect"
import { IntentState } from "../stripe/index.ts"
import { makeApplyEvent } from "./makeApplyEvent.ts"

/** Applies an event of the gateway (`makeApplyEvent`). It is committed with the event. */
export class EventHandling extends Job.make<EventHandling>()("payment-event", {
  version: 1,
  schema: Schema.Struct({
    eventId: Schema.String,
    intentId: Schema.String,
    organizationId: Schema.optional(OrganizationId),
    state: IntentState
  }),
  retries: Job.forThreeDays,
  concurrency: 4
}) {
  static readonly layerWorker = EventHandling.worker(
    Effect.map(
      makeApplyEvent,
      (apply) =>
        ({ eventId, state, intentId, organizationId }) =>
          Effect.asVoid(apply(eventId, { intentId, organizationId, state }))
    )
  )
}
