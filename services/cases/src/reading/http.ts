import { CasesApi, Partner } from "@care/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Reading } from "./Reading.ts"

/** Handlers of the groups that read cases. */
export const ReadingHandlers = HttpApiBuilder.group(
  CasesApi,
  "reading",
  Effect.fnUntraced(function* (handlers) {
    const reading = yield* Reading
    return handlers.handleAll({
      caseDetail: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Partner
        const caseDetail = yield* reading.detail(organizationId, query)
        return { status: 200 as const, success: true as const, caseDetail }
      }),
      latestCaseId: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Partner
        const id = yield* reading.latestCaseId(organizationId, query)
        return { status: 200 as const, success: true as const, case: { id } }
      })
    })
  })
)
