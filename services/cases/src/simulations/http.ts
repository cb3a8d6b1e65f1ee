import { CasesApi } from "@care/domain/cases"
import { Partner, TestKeyNeeded } from "@care/domain/http"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Simulations } from "./Simulations.ts"

// The gateway has refused live keys before.
const sandboxOfPartner = Effect.flatMap(Partner, ({ isTest, organizationId }) =>
  isTest === true ? Effect.succeed(organizationId) : Effect.die(new TestKeyNeeded())
)

const byPartner = HttpApiBuilder.group(
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

const byStaff = HttpApiBuilder.group(
  CasesApi,
  "adminSimulations",
  Effect.fnUntraced(function* (handlers) {
    const simulations = yield* Simulations
    return handlers.handleAll({
      possible: ({ params: { caseId } }) =>
        simulations
          .ofStaff(caseId, (organizationId) => simulations.possible(organizationId, caseId))
          .pipe(Effect.catchTag("CaseForbidden", Effect.die)),
      simulate: ({ params: { caseId }, payload }) =>
        simulations
          .ofStaff(caseId, (organizationId) => simulations.simulate(organizationId, caseId, payload, undefined))
          .pipe(Effect.catchTags({ CaseForbidden: Effect.die, IdempotencyConflict: Effect.die }))
    })
  })
)

export const SimulationsHandlers = Layer.merge(byPartner, byStaff)
