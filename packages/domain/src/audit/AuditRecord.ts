import { Record, Schema } from "effect"
import { Actor } from "../http/Actor.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { CaseId, OrganizationId, UserId, Uuid } from "../Ids.ts"
import { peers } from "../peers.ts"
import { AuditAction, DataKind } from "./auditActions.ts"

/** The most that one record of a list names. */
export const mostShown = 1000

/** A case that a list showed, and its patient, null where nobody knows one. */
export const ShownCase = Schema.Struct({ caseId: CaseId, userId: Schema.NullOr(UserId) }).annotate({
  identifier: "ShownCase"
})
export type ShownCase = typeof ShownCase.Type

/**
 * That a patient's data was read or changed, as the service keeps it that owns the data: who did what to which kinds of
 * whose data, on which request, and when. Never the data. `userId` is the patient, null where nobody knows one.
 * A list is one record: `caseId` and `userId` are null then, and `shown` names all that it showed.
 */
export const ServiceAuditRecord = Schema.Struct({
  id: Uuid,
  organizationId: OrganizationId,
  at: Timestamp,
  action: AuditAction,
  actor: Actor,
  caseId: Schema.NullOr(CaseId),
  userId: Schema.NullOr(UserId),
  requestId: Schema.String,
  kinds: Schema.Array(DataKind),
  shown: Schema.Array(ShownCase).check(
    Schema.isMaxLength(mostShown, {
      description: "The cases that a list showed, and their patients; empty for what is not a list."
    })
  )
}).annotate({ identifier: "ServiceAuditRecord" })
export type ServiceAuditRecord = typeof ServiceAuditRecord.Type

const { id, ...told } = ServiceAuditRecord.fields

/** The services that keep records, each of what it owns. */
export const AuditService = Schema.Literals(Record.keys(peers))
export type AuditService = typeof AuditService.Type

/** A record of any service. */
export const AuditRecord = Schema.Struct({ id, service: AuditService, ...told }).annotate({ identifier: "AuditRecord" })
export type AuditRecord = typeof AuditRecord.Type

/** A SHA-256 in hexadecimal digits. */
const ChainHash = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/u))

/** The end of the chain of an organization in a service: how many records it has, and the hash of the last of them. */
export const AuditHead = Schema.Struct({
  organizationId: OrganizationId,
  count: Schema.Natural,
  hash: ChainHash
}).annotate({ identifier: "AuditHead" })
export type AuditHead = typeof AuditHead.Type

/**
 * A link of a chain: `hash` is that of the record with its `number` and the hash of the link before (`chainHash`). `record`
 * is null when the record that it names is not there any more, or has something that no service writes.
 */
export const AuditLink = Schema.Struct({
  number: Schema.Natural,
  recordId: Uuid,
  hash: ChainHash,
  record: Schema.NullOr(ServiceAuditRecord)
}).annotate({ identifier: "AuditLink" })
export type AuditLink = typeof AuditLink.Type

/** A record that is in no chain; null when it has something that no service writes. */
export const StrayRecord = Schema.Struct({ recordId: Uuid, record: Schema.NullOr(ServiceAuditRecord) }).annotate({
  identifier: "StrayAuditRecord"
})
export type StrayRecord = typeof StrayRecord.Type
