import { concurrentIndex } from "@care/service-kit"

/** The newest messages of a sandbox. */
export default concurrentIndex("messages_by_organization", "messages (organization_id, created_at, id)")
