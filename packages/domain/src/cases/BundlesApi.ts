import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "../http/annotations.ts"
import { broken, errorBody, InvalidRequestBody } from "../http/ErrorBody.ts"
import { DocumentedErrors, PartnerAccess } from "../http/middleware.ts"
import { KeyInvalid, KeyMissing, RequestInvalid } from "../http/RequestErrors.ts"
import { BundleId } from "../Ids.ts"
import { BundleNotFound } from "./errors.ts"
import { BundleForm, PartnerBundle } from "./PartnerBundle.ts"

const refusal = <E extends Schema.Top>(error: E, text: (error: E["Type"]) => string, description: string) =>
  errorBody(
    error,
    400,
    InvalidRequestBody,
    (value) => ({ status: 400, success: false, message: "Invalid request parameters", error: text(value) }),
    description
  )

const requestErrors = [
  refusal(KeyMissing, () => "Missing cv-api-key header", "Key missing or invalid"),
  refusal(KeyInvalid, () => "Invalid API key", "Key missing or invalid"),
  refusal(RequestInvalid, (error) => error.text, "A parameter is malformed"),
  ...broken
] as const

const Flag = Schema.optionalKey(Schema.Literals(["true", "false"]))

const found = <S extends Schema.Top>(data: S) =>
  Schema.Struct({
    status: Schema.Literal(200),
    success: Schema.Literal(true),
    message: Schema.String,
    data
  })

/** Partner API: bundles of the organization. */
export class BundlesApi extends HttpApiGroup.make("bundles")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/organization/bundles", {
      query: { isVisible: Flag },
      success: found(Schema.Array(PartnerBundle)),
      error: requestErrors
    })
      .annotate(OpenApi.Summary, "List bundles")
      .annotate(
        OpenApi.Description,
        "The organization's bundles, oldest first: all, or those that are visible or not."
      ),
    HttpApiEndpoint.get("get", "/api/v1/organization/bundles/:bundleUUID", {
      params: { bundleUUID: BundleId },
      query: { includeIntakeForm: Flag, includeFollowupForm: Flag },
      success: found(
        Schema.Struct({
          bundle: PartnerBundle,
          intakeForm: Schema.optionalKey(Schema.NullOr(BundleForm)),
          followupForm: Schema.optionalKey(Schema.NullOr(BundleForm))
        })
      ),
      error: [
        ...requestErrors,
        refusal(
          BundleNotFound,
          ({ bundleId }) => `Bundle with id ${bundleId} was not found`,
          "The organization has no such bundle"
        )
      ]
    })
      .annotate(OpenApi.Summary, "Read a bundle")
      .annotate(
        OpenApi.Description,
        "One bundle, with its forms if they are asked for; a form that the bundle does not have is null."
      )
  )
  .annotate(OpenApi.Title, "Bundles")
  .annotate(OpenApi.Description, "What the organization offers: bundles of products with their prices and forms.")
  .annotate(Access, "partner")
  .middleware(DocumentedErrors)
  .middleware(PartnerAccess) {}
