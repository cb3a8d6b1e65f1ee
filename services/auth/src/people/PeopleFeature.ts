import { Effect } from "effect"
import { People } from "./People.ts"
import { PersonReplication } from "./PersonReplication.ts"

/** What the other services are told of people. */
export const PeopleFeature = PersonReplication.worker(
  Effect.map(
    People,
    ({ tell }) =>
      ({ organizationId, userId }) =>
        tell(organizationId, userId)
  )
)
