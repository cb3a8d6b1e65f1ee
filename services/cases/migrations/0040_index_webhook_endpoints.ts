import { concurrentIndex } from "@care/service-kit"

/** For operators' paths, which name an endpoint alone. */
export default concurrentIndex("webhook_endpoints_by_id", "webhook_endpoints (id)")
