import { Effect, Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { organizationNotFound } from "../auth/OrganizationsApi.ts"
import { EntityTag } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { created } from "../http/ok.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { StandbyRead, standbyReads } from "../http/standbyReads.ts"
import { BundleId, FormId, OrganizationId, ProductId } from "../Ids.ts"
import { Bundle, BundleChange, NewBundle } from "./Bundle.ts"
import { BundleNotFound, FormNotFound, FormTitleTaken, ProductNotFound } from "./errors.ts"
import { Form, FormChange, FormSummary, NewForm } from "./Form.ts"
import { NewProduct, Product, ProductChange } from "./Product.ts"

const products = "/admin/v1/organizations/:organizationId/products"
const forms = "/admin/v1/organizations/:organizationId/forms"
const bundles = "/admin/v1/organizations/:organizationId/bundles"

const params = { organizationId: OrganizationId }
const productParams = { ...params, productId: ProductId }
const formParams = { ...params, formId: FormId }
const bundleParams = { ...params, bundleId: BundleId }

/** The query of a list of the catalogue: the entries that are not archived, by default, or those that are. */
export const CatalogueQuery = {
  ...PageQuery,
  isArchived: Schema.Literals(["true", "false"]).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed("false")))
}
export type CatalogueQuery = Schema.Struct.Type<typeof CatalogueQuery>

const listErrors = [...operatorErrors, organizationNotFound]

const productNotFound = problem(
  ProductNotFound,
  404,
  "Product not found",
  ({ productId }) => `The organization has no product ${productId}.`
)
const formNotFound = problem(
  FormNotFound,
  404,
  "Form not found",
  ({ formId }) => `The organization has no form ${formId}.`
)
const bundleNotFound = problem(
  BundleNotFound,
  404,
  "Bundle not found",
  ({ bundleId }) => `The organization has no bundle ${bundleId}.`
)

const partsUnknown = [
  problem(
    ProductNotFound,
    422,
    "Unknown product",
    ({ productId }) => `The organization has no product ${productId}, or has archived it.`
  ),
  problem(
    FormNotFound,
    422,
    "Unknown form",
    ({ formId }) => `The organization has no form ${formId}, or has archived it.`
  )
] as const

export class CatalogueApi extends HttpApiGroup.make("catalogue")
  .add(
    HttpApiEndpoint.post("createProduct", products, {
      params,
      payload: NewProduct,
      success: created(Product),
      error: [...operatorErrors, organizationNotFound]
    }).annotate(OpenApi.Summary, "Add a product"),
    HttpApiEndpoint.get("listProducts", products, {
      params,
      query: CatalogueQuery,
      success: pageOf(Product),
      error: listErrors
    })
      .annotate(EntityTag, true)
      .annotate(StandbyRead, standbyReads.list)
      .annotate(OpenApi.Summary, "List products")
      .annotate(OpenApi.Description, "List the products of an organization, oldest first."),
    HttpApiEndpoint.patch("changeProduct", `${products}/:productId`, {
      params: productParams,
      payload: ProductChange,
      success: Product,
      error: [...operatorErrors, productNotFound]
    })
      .annotate(OpenApi.Summary, "Change a product")
      .annotate(
        OpenApi.Description,
        "Change the given fields of a product. Within 3 seconds new cases have its new name, and none has it if it is archived. The titles and payments of cases that exist stay."
      ),
    HttpApiEndpoint.post("createForm", forms, {
      params,
      payload: NewForm,
      success: created(Form),
      error: [...operatorErrors, organizationNotFound]
    }).annotate(OpenApi.Summary, "Add a form"),
    HttpApiEndpoint.get("listForms", forms, {
      params,
      query: CatalogueQuery,
      success: pageOf(FormSummary),
      error: listErrors
    })
      .annotate(EntityTag, true)
      .annotate(StandbyRead, standbyReads.list)
      .annotate(OpenApi.Summary, "List forms")
      .annotate(
        OpenApi.Description,
        "List the forms of an organization, oldest first, without their questions. Those of dynamic cases are among them."
      ),
    HttpApiEndpoint.get("getForm", `${forms}/:formId`, {
      params: formParams,
      success: Form,
      error: [...operatorErrors, formNotFound]
    })
      .annotate(EntityTag, true)
      .annotate(OpenApi.Summary, "Read a form"),
    HttpApiEndpoint.patch("changeForm", `${forms}/:formId`, {
      params: formParams,
      payload: FormChange,
      success: Form,
      error: [
        ...operatorErrors,
        formNotFound,
        problem(FormTitleTaken, 409, "Title taken", "Dynamic cases have another form with this title.")
      ]
    })
      .annotate(OpenApi.Summary, "Change a form")
      .annotate(
        OpenApi.Description,
        "Change the given fields of a form. Its questions never change, because answers name them: add another form, give it to the bundles, and archive this one. An archived form can be given to no bundle and named by no dynamic case."
      ),
    HttpApiEndpoint.post("createBundle", bundles, {
      params,
      payload: NewBundle,
      success: created(Bundle),
      error: [...operatorErrors, organizationNotFound, ...partsUnknown]
    }).annotate(OpenApi.Summary, "Add a bundle"),
    HttpApiEndpoint.get("listBundles", bundles, {
      params,
      query: CatalogueQuery,
      success: pageOf(Bundle),
      error: listErrors
    })
      .annotate(EntityTag, true)
      .annotate(StandbyRead, standbyReads.list)
      .annotate(OpenApi.Summary, "List an organization's bundles")
      .annotate(OpenApi.Description, "List the bundles of an organization, oldest first."),
    HttpApiEndpoint.get("getBundle", `${bundles}/:bundleId`, {
      params: bundleParams,
      success: Bundle,
      error: [...operatorErrors, bundleNotFound]
    })
      .annotate(EntityTag, true)
      .annotate(OpenApi.Summary, "Read an organization's bundle"),
    HttpApiEndpoint.patch("changeBundle", `${bundles}/:bundleId`, {
      params: bundleParams,
      payload: BundleChange,
      success: Bundle,
      error: [...operatorErrors, bundleNotFound, ...partsUnknown]
    })
      .annotate(OpenApi.Summary, "Change a bundle")
      .annotate(
        OpenApi.Description,
        "Change the given fields of a bundle; productIds replaces its products. The partner's list has no archived bundle, and promo codes for it lower the price of no new case."
      )
  )
  .annotate(OpenApi.Title, "Admin: catalogue")
  .annotate(OpenApi.Description, "The products, forms and bundles that an organization offers.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
