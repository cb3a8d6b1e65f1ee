import { CasesApi } from "@care/domain/cases"
import { sandboxOfPartner } from "@care/service-kit"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Simulations } from "./Simulations.ts"

export const SimulationsHandlers = HttpApiBuilder.group(
  CasesApi,
  "simulations",
  Effect.fnUntraced(function* (handlers) {
    const simulations = yield* Simulations
    return handlers.handleAll({
      possible: Effect.fnUntraced(function* ({ params }) {
        return { data: yield* simulations.possible(yield* sandboxOfPartner, params.caseId) }
      }),
      simulate: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const organizationId = yield* sandboxOfPartner
        return { data: yield* simulations.simulate(organizationId, params.caseId, payload, headers["idempotency-key"]) }
      })
    })
  })
)
