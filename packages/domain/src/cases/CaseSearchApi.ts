import { Effect, Schema, SchemaTransformation } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { organizationNotFound } from "../auth/OrganizationsApi.ts"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { Email } from "../http/Email.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { operatorErrors } from "../http/Problem.ts"
import { StandbyRead, standbyReads } from "../http/standbyReads.ts"
import { anyCase, textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { OrganizationId, UserId } from "../Ids.ts"
import { CaseStatus } from "./CaseStatus.ts"
import { CaseSummary } from "./CaseSummary.ts"

/**
 * The order of a list of cases: by their creation, or by their urgency: those that are overdue or have an open escalation, then the others,
 * of each the oldest first.
 */
export const CaseOrder = Schema.Literals(["NEWEST", "OLDEST", "URGENCY"])
export type CaseOrder = typeof CaseOrder.Type

/** The statuses that a search may name; `ACTIVE` is all of cases that are not done. */
const SearchedStatus = Schema.Literals([...CaseStatus.literals, "ACTIVE"])

/** The filters of the case search, all of which apply, and its order. */
export const CaseSearchQuery = {
  ...PageQuery,
  organizationId: Schema.optionalKey(OrganizationId),
  status: Schema.optionalKey(anyCase(SearchedStatus)),
  isArchived: Schema.optionalKey(Schema.Literals(["true", "false"])),
  assignedTo: Schema.optionalKey(UserId),
  /** The patient's. */
  email: Schema.optionalKey(Email),
  updatedSince: Schema.optionalKey(Timestamp),
  createdSince: Schema.optionalKey(Timestamp),
  createdBefore: Schema.optionalKey(Timestamp),
  order: anyCase(CaseOrder).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed("NEWEST" as const)))
}
export type CaseSearchQuery = Schema.Struct.Type<typeof CaseSearchQuery>

/** What somebody types to find cases of an organization. It may be a name or contacts, so it is in no URL. */
export const CaseFind = Schema.Struct({
  organizationId: OrganizationId,
  q: textUpTo(lengths.line).pipe(
    Schema.decode(SchemaTransformation.trim()),
    Schema.check(Schema.isMinLength(2, { message: "must have at least 2 characters" }))
  ),
  limit: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })))
})
export type CaseFind = typeof CaseFind.Type

/** How a case was found. Ids come first. */
export const CaseMatch = Schema.Literals([
  "CASE_ID",
  "SHORT_ID",
  "ORDER_ID",
  "PHARMACY_ORDER_ID",
  "PAYMENT_ID",
  "PATIENT_ID",
  "EMAIL",
  "PHONE_NUMBER",
  "NAME"
]).annotate({ identifier: "CaseMatch" })
export type CaseMatch = typeof CaseMatch.Type

/** A found case, and how it was found. */
export const FoundCase = Schema.Struct({ ...CaseSummary.fields, match: CaseMatch }).annotate({
  identifier: "FoundCase"
})
export type FoundCase = typeof FoundCase.Type

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
        "List cases, newest first, or with order=OLDEST oldest first. order=URGENCY begins with cases that are overdue, because the due date of an open product is before today (UTC), or that have an open escalation, and goes on with all others, of each the oldest first; it is for the cases of one organization. All given filters apply; the status ACTIVE is OPEN, ASSIGNED and IN_PROGRESS. createdSince includes the moment, createdBefore does not. Without organizationId, cases of all organizations are listed. With updatedSince, order=URGENCY, or for a provider, a page may have fewer cases than limit, or none, before the last page: continue while there is a nextCursor."
      ),
    HttpApiEndpoint.post("find", "/admin/v1/search", {
      payload: CaseFind,
      success: Schema.Struct({ data: Schema.Array(FoundCase) }),
      error: [...operatorErrors, organizationNotFound]
    })
      .annotate(StandbyRead, standbyReads.search)
      .annotate(OpenApi.Summary, "Find cases by anything")
      .annotate(
        OpenApi.Description,
        "Find cases of an organization by the id or short id of the case, by the id of an order (the pharmacy's, too), of a payment or of the patient, by the patient's email or phone number, or by the beginning of the name: first or last name first, in any letter case, with or without accents. At most limit cases are found; of one patient the newest."
      )
  )
  .annotate(OpenApi.Title, "Admin: search of cases")
  .annotate(OpenApi.Description, "Search the cases of all organizations.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
