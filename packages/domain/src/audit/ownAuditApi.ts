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

/** Internal: what the gateway asks every service about what it recorded. */
class OwnAuditApi extends HttpApiGroup.make("ownAudit")
  .add(
    HttpApiEndpoint.get("list", "/internal/v1/audit", {
      query: { ...AuditQuery, limit },
      success: pageOf(ServiceAuditRecord)
    }),
    // What a partner asks: one question of an organization at a time, whichever gateway passes it on.
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

/** What a service answers about its records, beside its own API. */
export const ownAuditApi = <Name extends ServiceName>(service: Name) => HttpApi.make(service).add(OwnAuditApi)
