import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { CellName } from "../http/CellName.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { CellsCursor, cellsCursorOf, cursorOf, longLimit, PageCursor, PageQuery, pageWith } from "../http/Page.ts"
import { operatorErrors } from "../http/Problem.ts"
import { StandbyRead, standbyReads } from "../http/standbyReads.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { CaseId, OrganizationId, UserId, Uuid } from "../Ids.ts"
import type { ServiceName } from "../peers.ts"
import { OwnAuditArchivesApi } from "./AuditArchivesApi.ts"
import { AuditMonth } from "./AuditMonth.ts"
import {
  AuditBusy,
  AuditCheckpoint,
  AuditHead,
  AuditLink,
  AuditRecord,
  AuditService,
  ServiceAuditRecord,
  StrayRecord
} from "./AuditRecord.ts"
import { AuditAction } from "./auditActions.ts"

/** Months whose records are in an archive. */
export const archivedMonths = Schema.optionalKey(
  Schema.Array(AuditMonth).annotate({
    description: "Months whose records were moved to an archive, and are on no page. Absent if there are none."
  })
)

/** The filters of audit records. All of them apply. `userId` is the patient or member of staff whom a record is about, `actorId` the signed-in person who acted; `to` is exclusive. */
export const RecordsQuery = {
  ...PageQuery,
  caseId: Schema.optionalKey(CaseId),
  userId: Schema.optionalKey(UserId),
  actorId: Schema.optionalKey(UserId),
  action: Schema.optionalKey(AuditAction),
  from: Schema.optionalKey(Timestamp),
  to: Schema.optionalKey(Timestamp)
}
export type RecordsQuery = Schema.Struct.Type<typeof RecordsQuery>

/** The same filters with an organization. */
export const AuditQuery = { ...RecordsQuery, organizationId: Schema.optionalKey(OrganizationId) }
export type AuditQuery = Schema.Struct.Type<typeof AuditQuery>

/** The query of an operator, of all cells. */
export const OperatorAuditQuery = { ...AuditQuery, cursor: Schema.optionalKey(CellsCursor) }
export type OperatorAuditQuery = Schema.Struct.Type<typeof OperatorAuditQuery>

/** A page of records. `archivedMonths` are months of the filter whose records are in an archive, and not on any page. It is absent without any. */
const pageOfRecords = <Record extends Schema.Top, Cursor extends Schema.Top>(record: Record, cursor: Cursor) =>
  Schema.Struct({ ...pageWith(record, cursor).fields, archivedMonths })

const LinkCursor = cursorOf(Schema.Natural)
const CheckpointCursor = cursorOf(Schema.Natural)
const HeadCursor = cellsCursorOf(Uuid)

const chain = { service: AuditService, organizationId: OrganizationId }

export class AuditApi extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/admin/v1/audit", {
      query: OperatorAuditQuery,
      success: pageOfRecords(AuditRecord, CellsCursor),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "List audit records")
      .annotate(
        OpenApi.Description,
        "List who read or changed patients' data, or who may do so (staff, their sign-in, API keys), newest first: the records of all services that match all given filters. `userId` is the patient, or the member of staff whom the action is about; `apiKeyId` is the API key that it is about. `actorId` is the member of staff or operator who acted. Operators are in the organization of the platform. The reading of a list of cases is one record for each organization: `shown` names the cases and their patients, and filters match each of them. A page may have fewer records than `limit` if `shown` is very long. Reads appear within about a second."
      ),
    HttpApiEndpoint.get("heads", "/admin/v1/audit/heads/:service", {
      params: { service: AuditService },
      query: {
        organizationId: Schema.optionalKey(OrganizationId),
        cell: Schema.optionalKey(CellName),
        cursor: Schema.optionalKey(HeadCursor),
        limit: PageQuery.limit
      },
      success: pageWith(AuditHead, HeadCursor),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "List the heads of the audit chains")
      .annotate(
        OpenApi.Description,
        "List the length of each organization's audit chain in a service, and the hash of its last record. A copy that is kept elsewhere proves later that no record was changed or removed since. With several cells `cell` names one of them. Without it the chains of all cells are listed, and `cellsAway` names those that do not answer."
      ),
    HttpApiEndpoint.get("links", "/admin/v1/audit/links/:service/:organizationId", {
      params: chain,
      query: { month: Schema.optionalKey(AuditMonth), cursor: Schema.optionalKey(LinkCursor), limit: longLimit },
      success: pageWith(AuditLink, LinkCursor),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "Read an audit chain")
      .annotate(
        OpenApi.Description,
        "List the links of an organization's audit chain in a service with their records, oldest first: all, or those of a month that is over. `care audit verify` recomputes their hashes."
      ),
    HttpApiEndpoint.get("checkpoints", "/admin/v1/audit/checkpoints/:service/:organizationId", {
      params: chain,
      query: { cursor: Schema.optionalKey(CheckpointCursor), limit: longLimit },
      success: pageWith(AuditCheckpoint, CheckpointCursor),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "List the checkpoints of an audit chain")
      .annotate(
        OpenApi.Description,
        "List the states of an organization's audit chain in a service when months ended, oldest first. The records of a month lead from the state before it to that after it, so that a month is verified by reading it alone."
      ),
    HttpApiEndpoint.get("strays", "/admin/v1/audit/strays/:service/:organizationId", {
      params: chain,
      query: { cursor: Schema.optionalKey(Uuid), limit: longLimit },
      success: pageWith(StrayRecord, Uuid),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "List audit records outside their chain")
      .annotate(
        OpenApi.Description,
        "List audit records that are in no chain and do not wait for one. Only someone other than the service can have inserted them. `record` is null if it does not have the form that a service writes. `limit` is the number of records that are examined, so most pages are empty: continue while there is a nextCursor."
      )
  )
  .annotate(OpenApi.Title, "Admin: audit")
  .annotate(OpenApi.Description, "Who read and changed patients' data, and who may do so.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}

const limit = Schema.FiniteFromString.check(Schema.isInt())

/** Internal: the audit records of one service, for the gateway. */
class OwnAuditApi extends HttpApiGroup.make("ownAudit")
  .add(
    HttpApiEndpoint.get("list", "/internal/v1/audit", {
      query: { ...AuditQuery, limit },
      success: pageOfRecords(ServiceAuditRecord, PageCursor)
    }).annotate(StandbyRead, standbyReads.audit),
    // An organization that reads its own records has one request at a time, across all gateways.
    HttpApiEndpoint.get("records", "/internal/v1/audit/:organizationId/records", {
      params: { organizationId: OrganizationId },
      query: { ...RecordsQuery, limit },
      success: pageOfRecords(ServiceAuditRecord, PageCursor),
      error: AuditBusy.pipe(HttpApiSchema.status(429))
    }),
    HttpApiEndpoint.get("heads", "/internal/v1/audit/heads", {
      query: { organizationId: Schema.optionalKey(OrganizationId), cursor: Schema.optionalKey(Uuid), limit },
      success: Schema.Array(AuditHead)
    }).annotate(StandbyRead, standbyReads.audit),
    HttpApiEndpoint.get("links", "/internal/v1/audit/:organizationId/links", {
      params: { organizationId: OrganizationId },
      query: { after: Schema.FiniteFromString.check(Schema.isInt()), month: Schema.optionalKey(AuditMonth), limit },
      success: pageWith(AuditLink, Schema.Int)
    }).annotate(StandbyRead, standbyReads.audit),
    HttpApiEndpoint.get("checkpoints", "/internal/v1/audit/:organizationId/checkpoints", {
      params: { organizationId: OrganizationId },
      query: { after: Schema.FiniteFromString.check(Schema.isInt()), limit },
      success: Schema.Array(AuditCheckpoint)
    }).annotate(StandbyRead, standbyReads.audit),
    HttpApiEndpoint.get("strays", "/internal/v1/audit/:organizationId/strays", {
      params: { organizationId: OrganizationId },
      query: { after: Schema.optionalKey(Uuid), limit },
      success: Schema.Struct({ data: Schema.Array(StrayRecord), nextCursor: Schema.NullOr(Uuid) })
    }).annotate(StandbyRead, standbyReads.audit)
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of a service's audit records, next to its own API. */
export const ownAuditApi = <Name extends ServiceName>(service: Name) =>
  HttpApi.make(service).add(OwnAuditApi, OwnAuditArchivesApi)
