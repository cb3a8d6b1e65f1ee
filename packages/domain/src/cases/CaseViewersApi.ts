import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { CaseId, UserId } from "../Ids.ts"
import { caseErrors } from "./BackOfficeApi.ts"

/** A member of the staff who looks at a case, and since when. */
export const CaseViewer = Schema.Struct({
  userId: UserId,
  firstName: Schema.String,
  lastName: Schema.String,
  since: Timestamp
}).annotate({ identifier: "CaseViewer" })
export type CaseViewer = typeof CaseViewer.Type

/** Who else looks at a case, and the number of its newest activity: a reader whose last one is lower reads the case again. */
const CaseViewers = Schema.Struct({ data: Schema.Array(CaseViewer), lastChange: Schema.Natural })
export type CaseViewers = typeof CaseViewers.Type

const params = { caseId: CaseId }

export class CaseViewersApi extends HttpApiGroup.make("caseViewers")
  .add(
    HttpApiEndpoint.post("look", "/admin/v1/cases/:caseId/viewers", {
      params,
      success: CaseViewers,
      error: caseErrors
    })
      .annotate(OpenApi.Summary, "Look at a case")
      .annotate(
        OpenApi.Description,
        "Say that the signed-in person looks at a case, and list who else said so in the last 30 seconds, longest first. Repeat it while they look. lastChange grows whenever the case changes. Operators are not listed, because they belong to no organization."
      ),
    HttpApiEndpoint.delete("leave", "/admin/v1/cases/:caseId/viewers", {
      params,
      success: HttpApiSchema.NoContent.annotate({ description: "Done" }),
      error: caseErrors
    })
      .annotate(OpenApi.Summary, "Leave a case")
      .annotate(OpenApi.Description, "Say that the signed-in person looks at a case no longer.")
  )
  .annotate(OpenApi.Title, "Admin: viewers of cases")
  .annotate(OpenApi.Description, "Who looks at a case at this moment. Only people who are signed in do.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
