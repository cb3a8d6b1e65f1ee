import { Record, Schema } from "effect"
import { Actor } from "../http/Actor.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { ApiKeyId, CaseId, OrganizationId, UserId, Uuid } from "../Ids.ts"
import { peers } from "../peers.ts"
import { AuditMonth } from "./AuditMonth.ts"
import { AuditAction, DataKind } from "./auditActions.ts"

/** The maximum number of cases that the record of a list names. */
export const maxShownCases = 1000

/** A case that a list showed. The patient is null when unknown. */
export const ShownCase = Schema.Struct({ caseId: CaseId, userId: Schema.NullOr(UserId) }).annotate({
  identifier: "ShownCase"
})
export type ShownCase = typeof ShownCase.Type

/**
 * A record that a patient's data was read or changed, or who may do so: who did what to which kinds of data, on which request, and when.
 * `userId` is the patient, or the member of staff whom the action is about, and `apiKeyId` the key that it is about. It never has the data
 * itself. The record of a list has neither `caseId` nor `userId`; `shown` names all cases of the list.
 */
export const ServiceAuditRecord = Schema.Struct({
  id: Uuid,
  organizationId: OrganizationId,
  at: Timestamp,
  action: AuditAction,
  actor: Actor,
  caseId: Schema.NullOr(CaseId),
  userId: Schema.NullOr(UserId),
  apiKeyId: Schema.optionalKey(ApiKeyId),
  requestId: Schema.String,
  kinds: Schema.Array(DataKind),
  shown: Schema.Array(ShownCase).check(
    Schema.isMaxLength(maxShownCases, {
      description: "The cases of a list that was read, and their patients. Empty if no list was read."
    })
  )
}).annotate({ identifier: "ServiceAuditRecord" })
export type ServiceAuditRecord = typeof ServiceAuditRecord.Type

const { id, ...fields } = ServiceAuditRecord.fields

/** The services that keep audit records, each of its own data. */
export const AuditService = Schema.Literals(Record.keys(peers))
export type AuditService = typeof AuditService.Type

/** An audit record with its service. */
export const AuditRecord = Schema.Struct({ id, service: AuditService, ...fields }).annotate({
  identifier: "AuditRecord"
})
export type AuditRecord = typeof AuditRecord.Type

/** A SHA-256 in hexadecimal digits. */
export const ChainHash = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/u))

/** The head of an organization's chain in a service: the number of its records, and the hash of the last one. */
export const AuditHead = Schema.Struct({
  organizationId: OrganizationId,
  count: Schema.Natural,
  hash: ChainHash
}).annotate({ identifier: "AuditHead" })
export type AuditHead = typeof AuditHead.Type

/**
 * A link of a chain. `hash` is of the record, its `number` and the hash of the previous link (`chainHash`). `record` is
 * null when the record is missing, or has content that no service writes. `month` is that in which it was linked. It is missing if version 1
 * linked it.
 */
export const AuditLink = Schema.Struct({
  number: Schema.Natural,
  recordId: Uuid,
  hash: ChainHash,
  month: Schema.optionalKey(AuditMonth),
  record: Schema.NullOr(ServiceAuditRecord)
}).annotate({ identifier: "AuditLink" })
export type AuditLink = typeof AuditLink.Type

/**
 * The state of a chain when a month ended: how many records it had before the month and after it, and their hashes. It is genuine if it was
 * sealed by the service, with a key of `PHI_KEY`, and not changed since. The records of an archived month are in the files of an archive, and
 * not in the database any more.
 */
export const AuditCheckpoint = Schema.Struct({
  month: AuditMonth,
  countBefore: Schema.Natural,
  hashBefore: ChainHash,
  count: Schema.Natural,
  hash: ChainHash,
  isGenuine: Schema.Boolean,
  isArchived: Schema.Boolean
}).annotate({ identifier: "AuditCheckpoint" })
export type AuditCheckpoint = typeof AuditCheckpoint.Type

/** A record outside of every chain; `record` is null when it has content that no service writes. */
export const StrayRecord = Schema.Struct({ recordId: Uuid, record: Schema.NullOr(ServiceAuditRecord) }).annotate({
  identifier: "StrayAuditRecord"
})
export type StrayRecord = typeof StrayRecord.Type

/** The organization has another request for its audit records in progress. */
export class AuditBusy extends Schema.TaggedError<AuditBusy>()("AuditBusy", { retryAfter: Schema.Natural }) {}
