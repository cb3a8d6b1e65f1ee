import { CasesApi, Partner } from "@care/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Intake } from "./Intake.ts"

/** Handlers of the intake group. */
export const IntakeHandlers = HttpApiBuilder.group(
  CasesApi,
  "intake",
  Effect.fnUntraced(function* (handlers) {
    const intake = yield* Intake
    return handlers.handleAll({
      createCase: Effect.fnUntraced(function* ({ headers, payload }) {
        const { organizationId } = yield* Partner
        const caseId = yield* intake.create(organizationId, payload, headers["idempotency-key"])
        return { success: true as const, data: { caseId } }
      })
    })
  })
)
