import { CasesApi } from "@care/domain/cases"
import { Partner, TestKeyNeeded } from "@care/domain/http"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Simulations } from "./Simulations.ts"

// The gateway has refused live keys before.
const sandboxOfPartner = Effect.flatMap(Partner, ({ isTest, organizationId }) =>
  isTest === true ? Effect.succeed(organizationId) : Effect.die(new TestKeyNeeded())
)

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
