import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { EntityTag } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { broken, keysAs } from "../http/commonErrors.ts"
import { invalidParameters } from "../http/errorForms.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { mistakesAs } from "../http/mistakesAs.ts"
import { ok, saying } from "../http/ok.ts"
import { shownIds } from "../http/shownIds.ts"
import { BundleId } from "../Ids.ts"
import { BundleNotFound } from "./errors.ts"
import { BundleForm, PartnerBundle } from "./PartnerBundle.ts"

const requestErrors = [
  ...keysAs(invalidParameters, 400),
  mistakesAs(invalidParameters, "A parameter is malformed"),
  ...broken
] as const

const Flag = Schema.optionalKey(Schema.Literals(["true", "false"]))

export class BundlesApi extends HttpApiGroup.make("bundles")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/organization/bundles", {
      query: { isVisible: Flag },
      success: ok({ message: saying("Bundles retrieved successfully"), data: Schema.Array(PartnerBundle) }),
      error: requestErrors
    })
      .annotate(EntityTag, true)
      .annotate(OpenApi.Summary, "List bundles")
      .annotate(
        OpenApi.Description,
        "Lists the organization's bundles, oldest first. `isVisible` selects the visible or the hidden ones."
      ),
    HttpApiEndpoint.get("get", "/api/v1/organization/bundles/:bundleUUID", {
      params: { bundleUUID: BundleId },
      query: { includeIntakeForm: Flag, includeFollowupForm: Flag },
      success: ok({
        message: saying("Bundle retrieved successfully"),
        data: Schema.Struct({
          bundle: PartnerBundle,
          intakeForm: Schema.optionalKey(Schema.NullOr(BundleForm)),
          followupForm: Schema.optionalKey(Schema.NullOr(BundleForm))
        })
      }),
      error: [
        ...requestErrors,
        invalidParameters(
          BundleNotFound,
          400,
          ({ bundleId }) => `Bundle with id ${bundleId} was not found`,
          "The organization has no such bundle",
          new BundleNotFound({ bundleId: BundleId.make(shownIds.bundle) })
        )
      ]
    })
      .annotate(EntityTag, true)
      .annotate(OpenApi.Summary, "Read a bundle")
      .annotate(
        OpenApi.Description,
        "Returns a bundle, with the forms that the query selects. A form that the bundle does not have is null."
      )
  )
  .annotate(OpenApi.Title, "Bundles")
  .annotate(OpenApi.Description, "The bundles that the organization offers: products with their prices and forms.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
