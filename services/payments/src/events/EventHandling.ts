import { OrganizationId } from "@care/domain/ids"
import { inTransaction, Job } from "@care/service-kit"
import { DateTime, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { IntentFacts } from "../payments/IntentFacts.ts"
import { Payments } from "../payments/Payments.ts"
import { makeGatewayEventsRepo } from "./GatewayEventsRepo.ts"

/**
 * Does what an event of the gateway asks for: what it tells of an intent is taken in, and the event says so, in one
 * transaction. It is committed with the event, and asks the gateway nothing: what was signed counts. `IntentFacts` reads what was
 * stored in its older form, too: so the version stays.
 */
export class EventHandling extends Job.make<EventHandling>()("payment-event", {
  version: 1,
  schema: Schema.Struct({
    eventId: Schema.String,
    intentId: Schema.String,
    organizationId: Schema.optional(OrganizationId),
    facts: IntentFacts
  }),
  retries: Job.forThreeDays,
  concurrency: 4
}) {
  static readonly layerWorker = EventHandling.worker(
    Effect.gen(function* () {
      const payments = yield* Payments
      const repo = yield* makeGatewayEventsRepo
      const sql = yield* SqlClient.SqlClient
      return Effect.fnUntraced(
        function* ({ eventId, facts, intentId, organizationId }) {
          const seen = yield* payments.observe({ intentId, organizationId, facts })
          const [result, status] = Option.match(seen, {
            onNone: () => ["NO_PAYMENT", null] as const,
            onSome: ({ isChanged, payment }) => [isChanged ? "CHANGED" : "UNCHANGED", payment.status] as const
          })
          yield* repo.handled(eventId, result, status, yield* DateTime.nowAsDate)
        },
        (handled) => inTransaction(sql)(handled)
      )
    })
  )
}
