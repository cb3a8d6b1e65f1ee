import { concurrentIndex } from "@care/service-kit"

/** A reset voids what the person has approved. Few rows have an approver. */
export default concurrentIndex(
  "device_sign_ins_by_approver",
  "device_sign_ins (organization_id, approver_organization_id, approver_id) WHERE approver_id IS NOT NULL"
)
