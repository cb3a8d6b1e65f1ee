import { concurrentIndex } from "@care/service-kit"

/** Whether the staff of another organization has emails of a domain. */
export default concurrentIndex(
  "users_staff_by_domain",
  "users (split_part(email, '@', 2)) WHERE role <> 'USER' AND is_active AND deleted_at IS NULL"
)
