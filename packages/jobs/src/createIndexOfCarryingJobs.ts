import { concurrentIndex } from "@care/service-kit"

/** Migration of a service whose jobs end with a patient: those of an organization that carry something, whatever their state is. */
export const createIndexOfCarryingJobs = concurrentIndex(
  "jobs_carrying",
  "jobs (organization_id, queue_name, created_at, id) WHERE payload IS NOT NULL"
)
