import { GatewayApi } from "@care/domain/gateway"
import { layerDocumentedErrors } from "@care/service-kit"
import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { AuditTrail } from "./audit/AuditTrail.ts"
import { AuditHandlers, AuditRecordsHandlers } from "./audit/http.ts"
import { JobsHandlers } from "./jobs/http.ts"
import { Jobs } from "./jobs/Jobs.ts"
import { PhiKeysHandlers } from "./phiKeys/http.ts"
import { PhiKeys } from "./phiKeys/PhiKeys.ts"
import { ReconciliationsHandlers } from "./reconciliation/http.ts"
import { Reconciliations } from "./reconciliation/Reconciliations.ts"
import { layerOwnAccess } from "./routing/layerOwnAccess.ts"
import { UsageHandlers } from "./usage/http.ts"
import { Usages } from "./usage/Usages.ts"

/** What the gateway answers itself. */
export const layerOwnApi = HttpApiBuilder.layer(GatewayApi).pipe(
  Layer.provide([
    AuditHandlers,
    AuditRecordsHandlers,
    JobsHandlers,
    PhiKeysHandlers,
    ReconciliationsHandlers,
    UsageHandlers
  ]),
  Layer.provide([
    AuditTrail.layer,
    Jobs.layer,
    PhiKeys.layer,
    Reconciliations.layer,
    Usages.layer,
    layerOwnAccess,
    layerDocumentedErrors
  ])
)
