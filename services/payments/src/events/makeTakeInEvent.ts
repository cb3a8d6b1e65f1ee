import { inTransaction } from "@care/service-kit"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Payments } from "../payments/index.ts"
import type { IntentUpdate } from "../stripe/index.ts"
import { makeGatewayEventsRepo } from "./GatewayEventsRepo.ts"

/**
 * Makes the function that does what an event of the gateway asks for: what it tells of an intent is taken in, and the event
 * says so, in one transaction: whether it had not been done before. It asks the gateway nothing: what was signed counts.
 */
export const makeTakeInEvent = Effect.gen(function* () {
  const payments = yield* Payments
  const repo = yield* makeGatewayEventsRepo
  const sql = yield* SqlClient.SqlClient
  return Effect.fnUntraced(
    function* (eventId: string, update: IntentUpdate) {
      const seen = yield* payments.observe(update)
      const [result, status] = Option.match(seen, {
        onNone: () => ["NO_PAYMENT", null] as const,
        onSome: ({ isChanged, payment }) => [isChanged ? "CHANGED" : "UNCHANGED", payment.status] as const
      })
      return yield* repo.handled(eventId, result, status, yield* DateTime.nowAsDate)
    },
    (handled) => inTransaction(sql)(handled)
  )
})
