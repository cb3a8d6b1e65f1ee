import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { answerLimits, rateWindowSeconds } from "../http/annotations.ts"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { broken, keyRefused, rateLimited } from "../http/commonErrors.ts"
import { message } from "../http/errorForms.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { isAbsent } from "../http/mistakesIn.ts"
import { succeeded } from "../http/ok.ts"
import { RequestInvalid } from "../http/RequestErrors.ts"
import { nonBlankUpTo } from "../http/Text.ts"
import { BundleId } from "../Ids.ts"
import { PromoCodeNotFound } from "./PromoCode.ts"
import { PromoDiscount } from "./PromoDiscount.ts"

const refusalOf = (error: RequestInvalid): string => {
  if (error.path === "product_bundle_id") return "Invalid product bundle ID format"
  return isAbsent(error) ? "Promo code is required" : `Promo code: ${error.reason}`
}

const { requests } = answerLimits.unknownPromoCodes

export class PromoCodesApi extends HttpApiGroup.make("promoCodes")
  .add(
    HttpApiEndpoint.get("check", "/api/v1/promo-codes", {
      query: { code: nonBlankUpTo(lengths.reference), product_bundle_id: Schema.optionalKey(BundleId) },
      success: succeeded({ data: Schema.Array(PromoDiscount) }),
      error: [
        ...keyRefused,
        message(RequestInvalid, 400, refusalOf, "The code is missing or malformed, or the bundle's id is not a UUID"),
        message(
          PromoCodeNotFound,
          404,
          "Promo code not found!",
          "Neither the organization nor the platform has such a promo code"
        ),
        rateLimited,
        ...broken
      ]
    })
      .annotate(OpenApi.Summary, "Check a promo code")
      .annotate(
        OpenApi.Description,
        `Returns the discount of a promo code, found by its code or name in any letter case: \`flatDiscount\`, an amount in the currency of the payment, or \`percentDiscount\`. The list is empty if the code is inactive, expired, used up, or restricted to bundles other than \`product_bundle_id\`. Rate limit: in ${rateWindowSeconds} seconds an organization may send ${requests} unknown codes, here and when it creates cases. After that, all requests with a promo code are refused with 429 until the ${rateWindowSeconds} seconds are over.`
      )
  )
  .annotate(OpenApi.Title, "Promo codes")
  .annotate(OpenApi.Description, "Discounts that the organization's customers get with a code.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
