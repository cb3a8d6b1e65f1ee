import { inTransaction } from "@care/service-kit"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Payments } from "../payments/index.ts"
import type { IntentUpdate } from "../stripe/index.ts"
import { makeGatewayEventsRepo } from "./GatewayEventsRepo.ts"

/**
 * Makes the function that applies an event of the gateway to its payment intent, in one transaction with the event's
 * result. Returns whether it was still pending. It does not call the gateway, because the event is signed.
 */
export const makeApplyEvent = Effect.gen(function* () {
  const payments = yield* Payments
  const repo = yield* makeGatewayEventsRepo
  const sql = yield* SqlClient.SqlClient
  return Effect.fnUntraced(function* (eventId: string, update: IntentUpdate) {
    const observed = yield* payments.observe(update)
    const [result, status] = Option.match(observed, {
      onNone: () => ["NO_PAYMENT", null] as const,
      onSome: ({ isChanged, payment }) => [isChanged ? "CHANGED" : "UNCHANGED", payment.status] as const
    })
    return yield* repo.markHandled(eventId, result, status, yield* DateTime.nowAsDate)
  }, inTransaction(sql))
})
