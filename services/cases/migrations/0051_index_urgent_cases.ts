import { concurrentIndex, OutsideTransaction } from "@care/service-kit"
import { Effect } from "effect"

/** The cases that are or may become urgent, in a state by creation: those of an organization, and of a provider. */
export default new OutsideTransaction(
  Effect.forEach(
    [
      concurrentIndex(
        "cases_urgent",
        "cases (organization_id, is_archived, status, created_at, id) WHERE has_open_escalation OR due_on IS NOT NULL"
      ),
      concurrentIndex(
        "cases_urgent_of_provider",
        "cases (assigned_to, organization_id, is_archived, status, created_at, id) WHERE assigned_to IS NOT NULL AND (has_open_escalation OR due_on IS NOT NULL)"
      )
    ],
    ({ change }) => change,
    { discard: true }
  )
)
