import { Effect } from "effect"
import { CaseReplication } from "./CaseReplication.ts"
import { Followers } from "./Followers.ts"

/** What the other services are told of the cases that they follow. */
export const FollowersFeature = CaseReplication.worker(
  Effect.map(
    Followers,
    ({ tell }) =>
      ({ caseIds, organizationId }) =>
        tell(organizationId, caseIds)
  )
)
