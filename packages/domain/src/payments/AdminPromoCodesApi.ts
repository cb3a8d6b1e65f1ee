import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { organizationNotFound } from "../auth/OrganizationsApi.ts"
import { EntityTag } from "../http/annotations.ts"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { created } from "../http/ok.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { StandbyRead, standbyReads } from "../http/standbyReads.ts"
import { textUpTo } from "../http/Text.ts"
import { OrganizationId, PromoCodeId } from "../Ids.ts"
import { NewPromoCode, PromoCode, PromoCodeChange, PromoCodeTaken, PromoCodeUnknown, PromoTerm } from "./PromoCode.ts"

/** The filters of promo codes. All of them apply. `code` is a code or a name. `isGlobal` selects those of no organization. */
export const PromoCodeQuery = {
  ...PageQuery,
  organizationId: Schema.optionalKey(OrganizationId),
  isGlobal: Schema.optionalKey(Schema.Literal("true")),
  code: Schema.optionalKey(textUpTo(lengths.reference).pipe(Schema.decodeTo(PromoTerm)))
}
export type PromoCodeQuery = Schema.Struct.Type<typeof PromoCodeQuery>

export class AdminPromoCodesApi extends HttpApiGroup.make("adminPromoCodes")
  .add(
    HttpApiEndpoint.post("create", "/admin/v1/promo-codes", {
      payload: NewPromoCode,
      success: created(PromoCode),
      error: [
        ...operatorErrors,
        organizationNotFound,
        problem(
          PromoCodeTaken,
          409,
          "Promo code taken",
          "Another promo code of the same organization, or another global one, has this code or name as its code or name."
        )
      ]
    })
      .annotate(OpenApi.Summary, "Add a promo code")
      .annotate(
        OpenApi.Description,
        "Add a promo code of an organization, or a global one without organizationId. It has either flatDiscount or percentDiscount. It is found by its code or name, in any letter case."
      ),
    HttpApiEndpoint.get("list", "/admin/v1/promo-codes", {
      query: PromoCodeQuery,
      success: pageOf(PromoCode),
      error: operatorErrors
    })
      .annotate(EntityTag, true)
      .annotate(StandbyRead, standbyReads.list)
      .annotate(OpenApi.Summary, "List promo codes")
      .annotate(
        OpenApi.Description,
        "List promo codes, newest first. Without organizationId, global ones and those of all organizations are listed; isGlobal=true selects global ones. code selects those with this code or name."
      ),
    HttpApiEndpoint.patch("change", "/admin/v1/promo-codes/:promoCodeId", {
      params: { promoCodeId: PromoCodeId },
      payload: PromoCodeChange,
      success: PromoCode,
      error: [
        ...operatorErrors,
        problem(
          PromoCodeUnknown,
          404,
          "Promo code not found",
          ({ promoCodeId }) => `No promo code has the id ${promoCodeId}.`
        )
      ]
    })
      .annotate(OpenApi.Summary, "Change a promo code")
      .annotate(
        OpenApi.Description,
        "Enable or disable a promo code, or change its expiry or limit; null removes them. Earlier uses still count."
      )
  )
  .annotate(OpenApi.Title, "Admin: promo codes")
  .annotate(OpenApi.Description, "Discounts that partners' customers get with a code.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
