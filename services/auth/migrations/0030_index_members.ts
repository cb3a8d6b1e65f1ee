import { concurrentIndex } from "@care/service-kit"

/** The list of an organization's staff, active or deleted, oldest first. */
export default concurrentIndex(
  "users_members",
  "users (organization_id, is_active, created_at, id) WHERE role <> 'USER'"
)
