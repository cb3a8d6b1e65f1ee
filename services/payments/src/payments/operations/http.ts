import type { PaymentId } from "@care/domain/ids"
import { PaymentsApi } from "@care/domain/payments"
import { asSlowRead } from "@care/service-kit"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { AdminPayments } from "./AdminPayments.ts"
import { Operations } from "./Operations.ts"

export const OperationsHandlers = HttpApiBuilder.group(
  PaymentsApi,
  "adminPayments",
  Effect.fnUntraced(function* (handlers) {
    const operations = yield* Operations
    const payments = yield* AdminPayments
    const after = <E>(id: PaymentId, operation: Effect.Effect<void, E>) => Effect.andThen(operation, payments.get(id))
    return handlers.handleAll({
      list: ({ query }) => asSlowRead(payments.list(query)),
      get: ({ params }) => payments.get(params.paymentId),
      capture: ({ params, payload }) => after(params.paymentId, operations.capture(params.paymentId, payload)),
      release: ({ params }) => after(params.paymentId, operations.release(params.paymentId)),
      refund: ({ params, payload }) => after(params.paymentId, operations.refund(params.paymentId, payload))
    })
  })
)

export const PaymentLookupHandlers = HttpApiBuilder.group(
  PaymentsApi,
  "paymentLookup",
  Effect.fnUntraced(function* (handlers) {
    const payments = yield* AdminPayments
    return handlers.handleAll({
      find: ({ params, payload }) => payments.findAll(params.organizationId, payload.ids),
      countHeld: ({ params }) => payments.countHeld(params.organizationId)
    })
  })
)
