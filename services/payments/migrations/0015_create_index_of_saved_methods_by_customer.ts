import { concurrentIndex } from "@care/service-kit"

/** Who else has a method of a customer. */
export default concurrentIndex("saved_methods_by_customer", "saved_methods (organization_id, customer_id)")
