import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { Email } from "../http/Email.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { operatorErrors } from "../http/Problem.ts"
import { StandbyRead, standbyReads } from "../http/standbyReads.ts"
import { anyCase } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { OrganizationId, UserId } from "../Ids.ts"
import { CaseStatus } from "./CaseStatus.ts"
import { CaseSummary } from "./CaseSummary.ts"

/** The filters of the case search. All of them apply. */
export const CaseSearchQuery = {
  ...PageQuery,
  organizationId: Schema.optionalKey(OrganizationId),
  status: Schema.optionalKey(anyCase(CaseStatus)),
  isArchived: Schema.optionalKey(Schema.Literals(["true", "false"])),
  assignedTo: Schema.optionalKey(UserId),
  /** The patient's. */
  email: Schema.optionalKey(Email),
  updatedSince: Schema.optionalKey(Timestamp)
}
export type CaseSearchQuery = Schema.Struct.Type<typeof CaseSearchQuery>

export class CaseSearchApi extends HttpApiGroup.make("caseSearch")
  .add(
    HttpApiEndpoint.get("list", "/admin/v1/cases", {
      query: CaseSearchQuery,
      success: pageOf(CaseSummary),
      error: operatorErrors
    })
      .annotate(StandbyRead, standbyReads.search)
      .annotate(OpenApi.Summary, "Search cases")
      .annotate(
        OpenApi.Description,
        "List cases, newest first. All given filters apply; without organizationId, cases of all organizations are listed. With updatedSince a page may have fewer cases than limit, or none, before the last page: continue while there is a nextCursor."
      )
  )
  .annotate(OpenApi.Title, "Admin: search of cases")
  .annotate(OpenApi.Description, "Search the cases of all organizations.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
