import { concurrentIndex } from "@care/service-kit"

/** The appointments that take place at the scheduling provider, whoever's, by when they begin: a sweep compares a stretch of them. */
export default concurrentIndex(
  "calendar_events_of_meetings",
  "calendar_events (starts_at, agent_event_id) WHERE agent_name = 'calendly' AND agent_event_id IS NOT NULL AND NOT is_deleted"
)
