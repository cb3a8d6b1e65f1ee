import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { created } from "../http/ok.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { operatorErrors } from "../http/Problem.ts"
import { nonBlankUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { CaseId, OrganizationId, UserId, Uuid } from "../Ids.ts"
import { caseErrors, staffUnknown, userUnknown } from "./BackOfficeApi.ts"

/** A provider's access to a case that is not theirs, from `createdAt` to `expiresAt`. */
export const BreakGlass = Schema.Struct({
  id: Uuid,
  organizationId: OrganizationId,
  caseId: CaseId,
  userId: UserId,
  reason: Schema.String,
  createdAt: Timestamp,
  expiresAt: Timestamp
}).annotate({ identifier: "BreakGlass" })
export type BreakGlass = typeof BreakGlass.Type

/** `userId` is the member of staff who gets access. */
export const NewBreakGlass = Schema.Struct({
  reason: nonBlankUpTo(lengths.paragraph),
  userId: Schema.optional(UserId)
})
export type NewBreakGlass = typeof NewBreakGlass.Type

/** The filters of accesses by breaking the glass. */
export const BreakGlassQuery = { ...PageQuery, organizationId: Schema.optionalKey(OrganizationId) }
export type BreakGlassQuery = Schema.Struct.Type<typeof BreakGlassQuery>

export class BreakGlassApi extends HttpApiGroup.make("breakGlass")
  .add(
    HttpApiEndpoint.post("open", "/admin/v1/cases/:caseId/break-glass", {
      params: { caseId: CaseId },
      payload: NewBreakGlass,
      success: created(BreakGlass),
      error: [...caseErrors, userUnknown, staffUnknown]
    })
      .annotate(OpenApi.Summary, "Break the glass")
      .annotate(
        OpenApi.Description,
        "Open a case that is not assigned to a provider to them, for an hour. It is recorded, with the reason, and so is what they read of the case in that time. userId is the signed-in person; operators name the member of staff."
      ),
    HttpApiEndpoint.get("list", "/admin/v1/break-glass", {
      query: BreakGlassQuery,
      success: pageOf(BreakGlass),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "List broken glass")
      .annotate(
        OpenApi.Description,
        "List which cases were opened by breaking the glass, by whom and why, newest first."
      )
  )
  .annotate(OpenApi.Title, "Admin: break glass")
  .annotate(OpenApi.Description, "Access of providers to cases that are not theirs, in an emergency.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
