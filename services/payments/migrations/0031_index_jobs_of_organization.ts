import { concurrentIndex } from "@care/service-kit"

/** The jobs of an organization that still have a payload: a move of a sandbox's clock brings them forward. */
export default concurrentIndex(
  "jobs_with_payload",
  "jobs (organization_id, queue_name, created_at, id) WHERE payload IS NOT NULL"
)
