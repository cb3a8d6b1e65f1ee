import { AuditAction } from "@care/domain/audit/auditActions"
import { CaseId, UserId } from "@care/domain/ids"
import { Schema } from "effect"

/** The parts of the audit's screen. */
export const auditParts = ["records", "glass", "chains"] as const

/** The part that is shown, and the filters of records, as the address of the screen has them. Times are in ISO 8601. */
export const AuditSearch = Schema.Struct({
  part: Schema.optional(Schema.Literals(auditParts)),
  actorId: Schema.optional(UserId),
  patientId: Schema.optional(UserId),
  caseId: Schema.optional(CaseId),
  action: Schema.optional(AuditAction),
  from: Schema.optional(Schema.String),
  to: Schema.optional(Schema.String)
})
export type AuditSearch = typeof AuditSearch.Type
