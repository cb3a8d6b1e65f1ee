import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { created } from "../http/ok.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { Incident, IncidentChange, IncidentId, IncidentNotFound, NewIncident } from "./Incident.ts"

export class IncidentsApi extends HttpApiGroup.make("incidents")
  .add(
    HttpApiEndpoint.post("open", "/admin/v1/incidents", {
      payload: NewIncident,
      success: created(Incident),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "Open an incident")
      .annotate(
        OpenApi.Description,
        "Tell on the status page that something does not work. Everybody can read it: name no organization and no person."
      ),
    HttpApiEndpoint.get("list", "/admin/v1/incidents", {
      query: PageQuery,
      success: pageOf(Incident),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "List incidents")
      .annotate(
        OpenApi.Description,
        "List all incidents, newest first. The status page shows those of the last 90 days."
      ),
    HttpApiEndpoint.patch("update", "/admin/v1/incidents/:incidentId", {
      params: { incidentId: IncidentId },
      payload: IncidentChange,
      success: Incident,
      error: [
        ...operatorErrors,
        problem(
          IncidentNotFound,
          404,
          "Incident not found",
          ({ incidentId }) => `No incident has the id ${incidentId}.`
        )
      ]
    })
      .annotate(OpenApi.Summary, "Update an incident")
      .annotate(
        OpenApi.Description,
        "Tell the latest news of an incident, change its impact, or resolve it. isResolved: false opens it again."
      )
  )
  .annotate(OpenApi.Title, "Admin: incidents")
  .annotate(OpenApi.Description, "What the status page tells of times when something did not work.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
