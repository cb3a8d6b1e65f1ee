import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { CaseNoticeBatch } from "./CaseNotice.ts"
import { EndpointNotice } from "./EndpointNotice.ts"

/**
 * Internal: notices that other services send to people. They are sent later, so that no service waits for a mail
 * server.
 */
export class NoticesApi extends HttpApiGroup.make("notices")
  .add(
    HttpApiEndpoint.post("ofCases", "/internal/v1/case-notices", {
      payload: CaseNoticeBatch,
      success: HttpApiSchema.NoContent
    }),
    HttpApiEndpoint.post("ofEndpoint", "/internal/v1/endpoint-notices", {
      payload: EndpointNotice,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of auth that its callers load: this group alone. */
export const noticesApi = HttpApi.make("auth").add(NoticesApi)
