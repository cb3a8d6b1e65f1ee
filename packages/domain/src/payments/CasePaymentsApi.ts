import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { callers } from "../http/callers.ts"
import { ReportedAddress } from "../http/KnownAddress.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { RateLimited } from "../http/RequestErrors.ts"
import { OrganizationId, UserId } from "../Ids.ts"
import { InitialPayment, PlannedPayment, Preparation, PreparedPayment, RecordedPayment } from "./CasePayment.ts"
import { IntentInUse, IntentUnpaid, ReferenceRefused } from "./errors.ts"
import { PromoCodeNotFound } from "./PromoCode.ts"

/** Internal: the payments that cases begin with. All requests are idempotent by the id of the case. */
export class CasePaymentsApi extends HttpApiGroup.make("casePayments")
  .add(
    // Before the case is stored: verifies the reference and redeems the promo codes.
    HttpApiEndpoint.post("prepare", "/internal/v1/case-payments/prepare", {
      payload: PlannedPayment,
      success: PreparedPayment,
      error: [
        ReferenceRefused.pipe(HttpApiSchema.status(422)),
        IntentUnpaid.pipe(HttpApiSchema.status(422)),
        IntentInUse.pipe(HttpApiSchema.status(409)),
        PromoCodeNotFound.pipe(HttpApiSchema.status(404)),
        RateLimited.pipe(HttpApiSchema.status(429))
      ]
    }),
    // The case was refused: releases what this attempt prepared.
    HttpApiEndpoint.post("release", "/internal/v1/case-payments/release", {
      payload: Preparation,
      success: HttpApiSchema.NoContent
    }),
    // The case is stored.
    HttpApiEndpoint.post("record", "/internal/v1/case-payments", {
      payload: InitialPayment,
      success: RecordedPayment
    }),
    // The shipping address that was given with the patient's payment method, for all of their cases.
    HttpApiEndpoint.get(
      "shippingAddress",
      "/internal/v1/organizations/:organizationId/patients/:userId/shipping-address",
      {
        params: { organizationId: OrganizationId, userId: UserId },
        success: Schema.Struct({ reported: Schema.NullOr(ReportedAddress) })
      }
    )
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of payments that its callers load: this group alone. */
export const casePaymentsApi = HttpApi.make("payments").add(CasePaymentsApi)
