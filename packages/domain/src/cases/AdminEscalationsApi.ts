import { Effect, Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { created } from "../http/ok.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { anyCase } from "../http/Text.ts"
import { CaseId, OrganizationId, UserId } from "../Ids.ts"
import { caseErrors } from "./BackOfficeApi.ts"
import {
  AssigneeUnknown,
  Escalation,
  EscalationActive,
  EscalationOfCase,
  EscalationRepeated,
  NewEscalations
} from "./Escalation.ts"
import { newestOf } from "./newestOf.ts"

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
    HttpApiEndpoint.post("add", "/admin/v1/cases/:caseId/escalations", {
      params: { caseId: CaseId },
      payload: Schema.Struct({ escalations: NewEscalations }),
      success: created(Schema.Struct({ data: newestOf(Escalation) }).annotate({ identifier: "ActiveEscalations" })),
      error: [
        ...caseErrors,
        problem(
          EscalationRepeated,
          422,
          "Escalation repeated",
          ({ title, type }) => `The request has ${type} / ${title} more than once.`
        ),
        problem(
          EscalationActive,
          409,
          "Already escalated",
          ({ title, type }) => `The case has an active escalation ${type} / ${title}. Complete it first.`
        ),
        problem(
          AssigneeUnknown,
          422,
          "Unknown assignee",
          ({ email }) => `No active THIRD_PARTY_ADMIN of the organization has the email ${email}.`
        )
      ]
    })
      .annotate(OpenApi.Summary, "Escalate a case")
      .annotate(
        OpenApi.Description,
        "Add escalations to a case, which may be closed: all of them or none. The answer has those that are active, oldest first. A case can have one active escalation of each type and title."
      ),
    HttpApiEndpoint.get("list", "/admin/v1/escalations", {
      query: EscalationsQuery,
      success: pageOf(EscalationOfCase),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "List an organization's escalations")
      .annotate(
        OpenApi.Description,
        "List the open escalations of an organization, oldest first, or with state=COMPLETED the completed ones, newest first. isUnassigned=true lists those that nobody has. A provider gets those of cases that are theirs or wait for them; for them a page may have fewer escalations than limit, or none, before the last page: continue while there is a nextCursor."
      )
  )
  .annotate(OpenApi.Title, "Admin: escalations")
  .annotate(OpenApi.Description, "The tasks of the care team.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
