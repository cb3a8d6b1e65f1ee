import { concurrentIndex } from "@care/service-kit"

/** What is exported of a patient: files of comments, too, which the index of a case's files does not have. */
export default concurrentIndex("all_documents_by_case", "documents (organization_id, case_id)")
