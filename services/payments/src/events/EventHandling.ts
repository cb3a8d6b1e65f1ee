import { OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Effect, Schema } from "effect"
import { IntentState } from "../stripe/index.ts"
import { makeTakeInEvent } from "./makeTakeInEvent.ts"

/** Applies an event of the gateway (`makeTakeInEvent`). It is committed with the event. */
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
      makeTakeInEvent,
      (takeIn) =>
        ({ eventId, state, intentId, organizationId }) =>
          Effect.asVoid(takeIn(eventId, { intentId, organizationId, state }))
    )
  )
}
