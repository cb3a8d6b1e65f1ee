import { concurrentIndex } from "@care/service-kit"

/** The few orders that somebody has to look at. */
export default concurrentIndex("orders_in_error", "orders (organization_id, created_at, id) WHERE status = 'ERROR'")
