import { Effect } from "effect"
import { CaseNews } from "./CaseNews.ts"
import { Followers } from "./Followers.ts"

/** What the other services are told of the cases that they follow. */
export const FollowersFeature = CaseNews.worker(
  Effect.map(
    Followers,
    ({ tell }) =>
      ({ caseIds, organizationId }) =>
        tell(organizationId, caseIds)
  )
)
