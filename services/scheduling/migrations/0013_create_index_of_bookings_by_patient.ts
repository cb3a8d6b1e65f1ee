import { concurrentIndex } from "@care/service-kit"

/** What is exported of a patient, page by page, among all bookings of the organization. */
export default concurrentIndex("bookings_by_patient", "bookings (organization_id, user_id, first_asked_at, id)")
