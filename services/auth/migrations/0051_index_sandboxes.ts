import { concurrentUniqueIndex } from "@care/service-kit"

/** A live organization has one sandbox. */
export default concurrentUniqueIndex("organizations_one_sandbox", "organizations (live_organization_id)")
