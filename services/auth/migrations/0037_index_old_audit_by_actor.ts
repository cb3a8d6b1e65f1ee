import { concurrentIndex } from "@care/service-kit"

/** What a signed-in person did, in the table of version 1. */
export default concurrentIndex(
  "audit_records_by_actor",
  "audit_records (organization_id, actor_id, action, at, id) WHERE actor_type = 'USER'"
)
