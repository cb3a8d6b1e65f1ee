import { Effect } from "effect"
import { People } from "./People.ts"
import { PersonChanges } from "./PersonChanges.ts"

/** What the other services are told of people. */
export const PeopleFeature = PersonChanges.worker(
  Effect.map(
    People,
    ({ tell }) =>
      ({ organizationId, userId }) =>
        tell(organizationId, userId)
  )
)
