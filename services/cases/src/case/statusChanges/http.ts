import { CasesApi } from "@care/domain/cases"
import { Partner } from "@care/domain/http"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { StatusChanges } from "./StatusChanges.ts"

const messages = {
  OPEN: "Case opened successfully",
  CLOSE: "Case closed successfully",
  REOPEN: "Case reopened successfully"
} as const

export const StatusChangesHandlers = HttpApiBuilder.group(
  CasesApi,
  "statusChanges",
  Effect.fnUntraced(function* (handlers) {
    const changes = yield* StatusChanges
    return handlers.handleAll({
      change: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const { organizationId } = yield* Partner
        yield* changes.change(organizationId, params.caseId, payload, headers["idempotency-key"])
        return { message: messages[payload.status] }
      })
    })
  })
)
