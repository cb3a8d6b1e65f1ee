import { concurrentIndex } from "@care/service-kit"

/** The events that came and are not handled, the oldest first. */
export default concurrentIndex("payment_events_unhandled", "payment_events (created_at, id) WHERE result = 'PENDING'")
