import { CasesApi } from "@care/domain/cases"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Decisions, Lifecycle } from "../../case/index.ts"
import { Comments } from "../../comments/index.ts"
import { Attachments } from "../../documents/index.ts"
import { Escalations } from "../../escalations/index.ts"
import { Reading } from "../reading/Reading.ts"

export const BackOfficeHandlers = HttpApiBuilder.group(
  CasesApi,
  "backOffice",
  Effect.fnUntraced(function* (handlers) {
    const attachments = yield* Attachments
    const comments = yield* Comments
    const decisions = yield* Decisions
    const escalations = yield* Escalations
    const lifecycle = yield* Lifecycle
    const reading = yield* Reading
    return handlers.handleAll({
      case: ({ params }) => reading.adminCase(params.caseId),
      assign: ({ params, payload }) =>
        Effect.flatMap(lifecycle.assign(params.caseId, payload), (organizationId) =>
          reading.movedCase(organizationId, params.caseId)
        ),
      assignAll: ({ payload }) => Effect.map(lifecycle.assignAll(payload), (data) => ({ data })),
      start: ({ params }) =>
        Effect.flatMap(lifecycle.start(params.caseId), (organizationId) =>
          reading.movedCase(organizationId, params.caseId)
        ),
      decide: ({ params, payload }) => decisions.add(params.caseId, payload),
      attach: ({ params, payload }) => attachments.add(params.caseId, payload),
      comment: ({ params, payload }) => comments.add(params.caseId, payload),
      completeEscalation: ({ params }) => escalations.complete(params.escalationId)
    })
  })
)
