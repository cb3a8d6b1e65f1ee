import { concurrentIndex } from "@care/service-kit"

/** What is exported of a patient, page by page, among all payments of the organization. */
export default concurrentIndex("payments_by_patient", "payments (organization_id, user_id, created_at, id)")
