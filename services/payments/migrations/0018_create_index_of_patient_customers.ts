import { concurrentIndex } from "@care/service-kit"

/** Which organization's patients have a customer. */
export default concurrentIndex("patient_customers_by_customer", "patient_customers (customer_id, organization_id)")
