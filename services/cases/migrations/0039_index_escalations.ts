import { concurrentIndex, OutsideTransaction } from "@care/service-kit"
import { Effect } from "effect"

/** The lists of an organization's escalations: the open and the completed ones, of all or of one member. */
export default new OutsideTransaction(
  Effect.forEach(
    [
      concurrentIndex("escalations_listed", "escalations (organization_id, is_completed, created_at, id)"),
      concurrentIndex(
        "escalations_of_assignee",
        "escalations (organization_id, assigned_to_user_id, is_completed, created_at, id) WHERE assigned_to_user_id IS NOT NULL"
      )
    ],
    ({ change }) => change,
    { discard: true }
  )
)
