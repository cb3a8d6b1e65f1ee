import { concurrentIndex } from "@care/service-kit"

/** The cases of a patient, page by page. */
export default concurrentIndex("case_facts_by_patient", "case_facts (organization_id, user_id, case_id)")
