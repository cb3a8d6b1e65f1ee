import { partitionedIndex } from "@care/service-kit"

/** What a signed-in person did, newest first. Equal keys share an index entry. */
export default partitionedIndex(
  "audit_entries",
  "by_actor",
  "(organization_id, actor_uuid, date_trunc('week', at AT TIME ZONE 'UTC')) WHERE actor_type = 'USER'"
)
