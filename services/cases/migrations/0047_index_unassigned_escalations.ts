import { concurrentIndex } from "@care/service-kit"

/** The list of an organization's escalations that nobody has. */
export default concurrentIndex(
  "escalations_of_nobody",
  "escalations (organization_id, is_completed, created_at, id) WHERE assigned_to_user_id IS NULL"
)
