import { SchedulingApi } from "@care/domain/scheduling"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { AppointmentSimulations } from "./AppointmentSimulations.ts"

export const AppointmentSimulationsHandlers = HttpApiBuilder.group(
  SchedulingApi,
  "appointmentSimulations",
  Effect.fnUntraced(function* (handlers) {
    const simulations = yield* AppointmentSimulations
    return handlers.handleAll({
      possible: ({ params }) => simulations.possible(params.organizationId, params.caseId),
      simulate: ({ params, payload }) =>
        simulations.simulate(params.organizationId, params.caseId, payload.id, payload.step)
    })
  })
)
