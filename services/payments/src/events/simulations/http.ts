import { PaymentsApi } from "@care/domain/payments"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { PaymentSimulations } from "./PaymentSimulations.ts"

export const PaymentSimulationsHandlers = HttpApiBuilder.group(
  PaymentsApi,
  "paymentSimulations",
  Effect.fnUntraced(function* (handlers) {
    const simulations = yield* PaymentSimulations
    return handlers.handleAll({
      possible: ({ params }) => simulations.possible(params.organizationId, params.caseId),
      simulate: ({ params, payload }) =>
        simulations.simulate(params.organizationId, params.caseId, payload.id, payload.step)
    })
  })
)
