import { concurrentIndex } from "@care/service-kit"

/** Which organization a customer who is deleted was of. */
export default concurrentIndex("deleted_customers_by_customer", "deleted_customers (customer_id, organization_id)")
