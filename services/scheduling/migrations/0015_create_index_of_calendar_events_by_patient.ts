import { concurrentIndex } from "@care/service-kit"

/** What is exported of a patient, page by page, those that were cancelled as well. */
export default concurrentIndex(
  "calendar_events_by_patient",
  "calendar_events (organization_id, user_id, created_at, id)"
)
