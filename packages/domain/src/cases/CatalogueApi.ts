import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { organizationNotFound } from "../auth/OrganizationsApi.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { created } from "../http/ok.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { OrganizationId } from "../Ids.ts"
import { Bundle, NewBundle } from "./Bundle.ts"
import { FormNotFound, ProductNotFound } from "./errors.ts"
import { Form, NewForm } from "./Form.ts"
import { NewProduct, Product } from "./Product.ts"

const params = { organizationId: OrganizationId }

export class CatalogueApi extends HttpApiGroup.make("catalogue")
  .add(
    HttpApiEndpoint.post("createProduct", "/admin/v1/organizations/:organizationId/products", {
      params,
      payload: NewProduct,
      success: created(Product),
      error: [...operatorErrors, organizationNotFound]
    }).annotate(OpenApi.Summary, "Add a product"),
    HttpApiEndpoint.post("createForm", "/admin/v1/organizations/:organizationId/forms", {
      params,
      payload: NewForm,
      success: created(Form),
      error: [...operatorErrors, organizationNotFound]
    }).annotate(OpenApi.Summary, "Add a form"),
    HttpApiEndpoint.post("createBundle", "/admin/v1/organizations/:organizationId/bundles", {
      params,
      payload: NewBundle,
      success: created(Bundle),
      error: [
        ...operatorErrors,
        organizationNotFound,
        problem(
          ProductNotFound,
          422,
          "Unknown product",
          ({ productId }) => `The organization has no product ${productId}.`
        ),
        problem(FormNotFound, 422, "Unknown form", ({ formId }) => `The organization has no form ${formId}.`)
      ]
    }).annotate(OpenApi.Summary, "Add a bundle")
  )
  .annotate(OpenApi.Title, "Admin: catalogue")
  .annotate(OpenApi.Description, "The products, forms and bundles that an organization offers.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
