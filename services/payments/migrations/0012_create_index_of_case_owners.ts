import { concurrentIndex } from "@care/service-kit"

/** The cases of a patient, page by page. */
export default concurrentIndex("case_owners_by_patient", "case_owners (organization_id, user_id, case_id)")
