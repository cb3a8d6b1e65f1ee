import { concurrentIndex } from "@care/service-kit"

/** Whom an organization without a contact is told by, among all its users. */
export default concurrentIndex(
  "users_administrators",
  "users (organization_id, id) WHERE role = 'ADMIN' AND is_active AND deleted_at IS NULL"
)
