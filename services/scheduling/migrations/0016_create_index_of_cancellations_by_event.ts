import { concurrentIndex } from "@care/service-kit"

/** The cancellations of a patient's events: only one that is done has an index of its event. */
export default concurrentIndex("cancellations_by_event", "cancellations (organization_id, event_id)")
