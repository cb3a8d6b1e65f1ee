import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { CellName } from "../http/CellName.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { operatorErrors } from "../http/Problem.ts"
import { ReconciledService, ServiceReconciliation, Sweep } from "./Reconciliation.ts"

export class ReconciliationsApi extends HttpApiGroup.make("reconciliations")
  .add(
    HttpApiEndpoint.post("sweep", "/admin/v1/reconciliations", {
      payload: Schema.Struct({ service: Schema.optional(ReconciledService), cell: Schema.optional(CellName) }),
      success: Schema.Struct({ services: Schema.Array(ServiceReconciliation) }).annotate({
        identifier: "Reconciliation"
      }),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "Compare with the providers, a step")
      .annotate(
        OpenApi.Description,
        "Compare payments, appointments and orders that are not final with Stripe, the scheduling provider and the pharmacy, and repair or report each difference, in all three services or only in `service`. A call takes some seconds and returns what it compared, as ids without health information. Repeat it while a service is `MORE` (there is more to compare) or `BUSY` (another sweep of the service is in progress). `FAILED` means that a provider could not be reached; the log has the reason. Each service also does this every hour. With several cells `cell` names one of them; it is `c1` by default."
      )
  )
  .annotate(OpenApi.Title, "Admin: reconciliation")
  .annotate(OpenApi.Description, "Compare the stored data with that of the providers.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}

/** Internal: the reconciliation of one service, for the gateway. */
class OwnReconciliationApi extends HttpApiGroup.make("ownReconciliation")
  .add(HttpApiEndpoint.post("sweep", "/internal/v1/reconciliations", { success: Sweep }))
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of a service's reconciliation, next to its own API. */
export const ownReconciliationApi = <Name extends ReconciledService>(service: Name) =>
  HttpApi.make(service).add(OwnReconciliationApi)
