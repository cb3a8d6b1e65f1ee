import { Effect, Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { operatorErrors } from "../http/Problem.ts"
import { anyCase } from "../http/Text.ts"
import { OrganizationId, UserId } from "../Ids.ts"
import { EscalationOfCase } from "./Escalation.ts"

/** The query of an organization's escalations: the open ones, by default, or the completed ones. */
export const EscalationsQuery = {
  ...PageQuery,
  organizationId: OrganizationId,
  state: anyCase(Schema.Literals(["OPEN", "COMPLETED"])).pipe(
    Schema.withDecodingDefaultTypeKey(Effect.succeed("OPEN" as const))
  ),
  assignedTo: Schema.optionalKey(UserId),
  isUnassigned: Schema.optionalKey(Schema.Literals(["true"]))
}
export type EscalationsQuery = Schema.Struct.Type<typeof EscalationsQuery>

export class AdminEscalationsApi extends HttpApiGroup.make("adminEscalations")
  .add(
    HttpApiEndpoint.get("list", "/admin/v1/escalations", {
      query: EscalationsQuery,
      success: pageOf(EscalationOfCase),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "List an organization's escalations")
      .annotate(
        OpenApi.Description,
        "List the open escalations of an organization, oldest first, or with state=COMPLETED the completed ones, newest first. isUnassigned=true lists those that nobody has."
      )
  )
  .annotate(OpenApi.Title, "Admin: escalations")
  .annotate(OpenApi.Description, "The tasks of the care team.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
