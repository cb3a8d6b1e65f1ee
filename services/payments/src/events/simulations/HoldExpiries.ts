import { OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Time } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { Payments, statusOf } from "../../payments/index.ts"
import { GatewayEvents } from "../GatewayEvents.ts"
import { intentUpdateOf } from "../intentUpdateOf.ts"
import { expiryEvent } from "./paymentSteps.ts"

/** Releases the amount that a sandbox holds in a simulation, when its time is over by the sandbox's clock. */
export class HoldExpiries extends Job.make<HoldExpiries>()("simulated-hold-expiry", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, intentId: Schema.String }),
  retries: Job.forThreeDays,
  concurrency: 1
}) {
  static readonly layerWorker = HoldExpiries.worker(
    Effect.gen(function* () {
      const events = yield* GatewayEvents
      const payments = yield* Payments
      return Effect.fnUntraced(function* ({ intentId }) {
        const intent = yield* payments.findIntent(intentId)
        if (!Option.exists(intent, ({ state }) => statusOf(state) === "AUTHORIZED")) return
        const event = expiryEvent(intentId, yield* Time.nowAsDate)
        yield* events.catchUp(event, intentUpdateOf(event))
      })
    })
  )
}
