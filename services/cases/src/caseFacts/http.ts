import { CasesApi } from "@care/domain/cases"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AssignmentJobs } from "../assignment/AssignmentJobs.ts"
import { Cases } from "../lifecycle/Cases.ts"

export const CaseFactsHandlers = HttpApiBuilder.group(
  CasesApi,
  "caseFacts",
  Effect.fnUntraced(function* (handlers) {
    const cases = yield* Cases
    const jobs = yield* AssignmentJobs
    return handlers.handleAll({
      providerJoined: ({ params }) => jobs.offer({ organizationId: params.organizationId, caseId: null }),
      profileLock: ({ params }) =>
        Effect.map(cases.locksProfile(params.organizationId, params.userId), (isLocked) => ({ isLocked }))
    })
  })
)
