import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { type ReconciledService, Sweep } from "./Reconciliation.ts"

/** Internal: the reconciliation of one service, for the gateway. */
class OwnReconciliationApi extends HttpApiGroup.make("ownReconciliation")
  .add(HttpApiEndpoint.post("sweep", "/internal/v1/reconciliations", { success: Sweep }))
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of a service's reconciliation, beside its own API. */
export const ownReconciliationApi = <Name extends ReconciledService>(service: Name) =>
  HttpApi.make(service).add(OwnReconciliationApi)
