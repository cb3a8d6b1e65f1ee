import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "../http/annotations.ts"
import { DocumentedErrors, OperatorAccess } from "../http/middleware.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { CaseId } from "../Ids.ts"
import { AdminCase } from "./AdminCase.ts"
import { CaseNotFound } from "./errors.ts"

/** Admin API: the care team's work on cases. */
export class BackOfficeApi extends HttpApiGroup.make("backOffice")
  .add(
    HttpApiEndpoint.get("case", "/admin/v1/cases/:caseId", {
      params: { caseId: CaseId },
      success: AdminCase,
      error: [...operatorErrors, problem(CaseNotFound, 404, "Case not found", () => "No case has this id.")]
    }).annotate(OpenApi.Description, "Read a case with everything it has.")
  )
  .annotate(OpenApi.Title, "Admin: back office")
  .annotate(Access, "operator")
  .middleware(DocumentedErrors)
  .middleware(OperatorAccess) {}
