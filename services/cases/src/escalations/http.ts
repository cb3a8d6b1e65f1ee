import { CasesApi } from "@care/domain/cases"
import { Partner } from "@care/domain/http"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Escalations } from "./Escalations.ts"

export const EscalationsHandlers = HttpApiBuilder.group(
  CasesApi,
  "escalations",
  Effect.fnUntraced(function* (handlers) {
    const escalations = yield* Escalations
    return handlers.handleAll({
      add: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const { organizationId } = yield* Partner
        const key = headers["idempotency-key"]
        return {
          data: { escalations: yield* escalations.add(organizationId, params.caseId, payload.escalations, key) }
        }
      })
    })
  })
)

export const AdminEscalationsHandlers = HttpApiBuilder.group(
  CasesApi,
  "adminEscalations",
  Effect.fnUntraced(function* (handlers) {
    const escalations = yield* Escalations
    return handlers.handleAll({
      add: ({ params, payload }) =>
        Effect.map(escalations.escalate(params.caseId, payload.escalations), (data) => ({ data })),
      list: ({ query }) => escalations.list(query)
    })
  })
)
