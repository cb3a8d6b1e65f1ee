import { concurrentIndex } from "@care/service-kit"

/** What organizations stored since it was counted last. */
export default concurrentIndex("documents_by_time", "documents (uploaded_at)")
