import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { pageOf, pageWith } from "../http/Page.ts"
import { OrganizationId, Uuid } from "../Ids.ts"
import type { ServiceName } from "../peers.ts"
import { AuditQuery, RecordsQuery } from "./AuditApi.ts"
import { AuditBusy } from "./AuditBusy.ts"
import { AuditHead, AuditLink, ServiceAuditRecord, StrayRecord } from "./AuditRecord.ts"

const limit = Schema.FiniteFromString.check(Schema.isInt())

/** Internal: the audit records of one service, for the gateway. */
class OwnAuditApi extends HttpApiGroup.make("ownAudit")
  .add(
    HttpApiEndpoint.get("list", "/internal/v1/audit", {
      query: { ...AuditQuery, limit },
      success: pageOf(ServiceAuditRecord)
    }),
    // For an organization that asks for its own records: one request at a time, across all gateways.
    HttpApiEndpoint.get("records", "/internal/v1/audit/:organizationId/records", {
      params: { organizationId: OrganizationId },
      query: { ...RecordsQuery, limit },
      success: pageOf(ServiceAuditRecord),
      error: AuditBusy.pipe(HttpApiSchema.status(429))
    }),
    HttpApiEndpoint.get("heads", "/internal/v1/audit/heads", {
      query: { organizationId: Schema.optionalKey(OrganizationId), cursor: Schema.optionalKey(Uuid), limit },
      success: Schema.Array(AuditHead)
    }),
    HttpApiEndpoint.get("links", "/internal/v1/audit/:organizationId/links", {
      params: { organizationId: OrganizationId },
      query: { after: Schema.FiniteFromString.check(Schema.isInt()), limit },
      success: pageWith(AuditLink, Schema.Int)
    }),
    HttpApiEndpoint.get("strays", "/internal/v1/audit/:organizationId/strays", {
      params: { organizationId: OrganizationId },
      query: { after: Schema.optionalKey(Uuid), limit },
      success: Schema.Struct({ data: Schema.Array(StrayRecord), nextCursor: Schema.NullOr(Uuid) })
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of a service's audit records, beside its own API. */
export const ownAuditApi = <Name extends ServiceName>(service: Name) => HttpApi.make(service).add(OwnAuditApi)
