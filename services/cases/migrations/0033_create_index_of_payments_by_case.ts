import { concurrentIndex } from "@care/service-kit"

/** What is exported of a patient. */
export default concurrentIndex("case_payments_by_case", "case_payments (organization_id, case_id)")
