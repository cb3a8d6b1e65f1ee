import { GatewayApi } from "@care/domain/gateway"
import { layerDocumentedErrors } from "@care/service-kit"
import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import {
  AuditArchives,
  AuditArchivesHandlers,
  AuditHandlers,
  AuditRecordsHandlers,
  AuditTrail,
  Jobs,
  JobsHandlers,
  PhiKeys,
  PhiKeysHandlers,
  Reconciliations,
  ReconciliationsHandlers,
  ServiceHealthHandlers,
  ServiceHealths,
  TroubledOrganizations,
  TroublesHandlers,
  UsageHandlers,
  Usages
} from "./admin/index.ts"
import { layerOwnAccess } from "./routing/index.ts"

/** The endpoints that the gateway itself answers. */
export const layerOwnApi = HttpApiBuilder.layer(GatewayApi).pipe(
  Layer.provide([
    AuditArchivesHandlers,
    AuditHandlers,
    AuditRecordsHandlers,
    JobsHandlers,
    PhiKeysHandlers,
    ReconciliationsHandlers,
    ServiceHealthHandlers,
    TroublesHandlers,
    UsageHandlers
  ]),
  Layer.provide([
    AuditArchives.layer,
    AuditTrail.layer,
    Jobs.layer,
    PhiKeys.layer,
    Reconciliations.layer,
    ServiceHealths.layer,
    TroubledOrganizations.layer,
    Usages.layer,
    layerOwnAccess,
    layerDocumentedErrors
  ])
)
