import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { operatorErrors } from "../http/Problem.ts"
import { ServiceHealth } from "./ServiceHealth.ts"

export class ServiceHealthApi extends HttpApiGroup.make("serviceHealth")
  .add(
    HttpApiEndpoint.get("list", "/admin/v1/service-health", {
      success: Schema.Struct({ data: Schema.Array(ServiceHealth) }),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "List the health of services")
      .annotate(
        OpenApi.Description,
        "Asks each service of each cell whether it is ready, and lists what was forwarded to it in each minute of the last hour. It is what the gateway process that answers sees since it started: another process of the gateway has other numbers. The median is estimated from 16 ranges of times."
      )
  )
  .annotate(OpenApi.Title, "Admin: health of services")
  .annotate(OpenApi.Description, "Whether the services are ready, and how they answer.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
