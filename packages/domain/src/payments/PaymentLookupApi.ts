import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { OrganizationId, PaymentId } from "../Ids.ts"
import { AdminPayment } from "./AdminPayment.ts"

const params = { organizationId: OrganizationId }

/** Internal: payments of stored cases, for what operators read of cases. */
export class PaymentLookupApi extends HttpApiGroup.make("paymentLookup")
  .add(
    HttpApiEndpoint.post("find", "/internal/v1/organizations/:organizationId/payments/find", {
      params,
      payload: Schema.Struct({ ids: Schema.Array(PaymentId) }),
      success: Schema.Array(AdminPayment)
    }),
    // Those that are authorized and wait for a capture or a release, up to `maxCounted`.
    HttpApiEndpoint.get("countHeld", "/internal/v1/organizations/:organizationId/payments/held/count", {
      params,
      success: Schema.Struct({ count: Schema.Natural })
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of payments that its callers load: this group alone. */
export const paymentLookupApi = HttpApi.make("payments").add(PaymentLookupApi)
