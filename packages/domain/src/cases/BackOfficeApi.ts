import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { organizationNotFound } from "../auth/OrganizationsApi.ts"
import { ProviderUnknown, StaffUnknown } from "../auth/User.ts"
import { TakesFiles } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { atMost, listUpTo } from "../http/listUpTo.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { created } from "../http/ok.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { CaseId, EscalationId, OrganizationId, UserId } from "../Ids.ts"
import { AdminCase } from "./AdminCase.ts"
import { Attachment, NewFile } from "./Attachment.ts"
import { Comment, NewComment } from "./Comment.ts"
import { Decision, NewDecision } from "./Decision.ts"
import { Escalation, EscalationNotFound } from "./Escalation.ts"
import {
  CaseNotFound,
  CaseStatusConflict,
  CaseTaken,
  FileRefused,
  ProductNotInCase,
  UserNotInOrganization
} from "./errors.ts"

const params = { caseId: CaseId }

/** The errors of every admin operation on a case. */
export const caseErrors = [
  ...operatorErrors,
  problem(CaseNotFound, 404, "Case not found", "No case has this id.")
] as const

/** Says why the status of a case does not allow an operation. */
export const statusConflictText = ({ isArchived, last, needed, status }: typeof CaseStatusConflict.Type): string =>
  [
    isArchived ? `The case is archived (${status}).` : `The case is ${status}; it has to be ${needed.join(" or ")}.`,
    ...(last === undefined ? [] : [last.text])
  ].join(" ")

const statusConflict = problem(CaseStatusConflict, 409, "The case's status does not allow this", statusConflictText, {
  at: ({ last }) => last?.at
})

const taken = problem(
  CaseTaken,
  409,
  "Another provider has the case",
  ({ firstName, lastName }) => `${firstName} ${lastName} took this case.`,
  { at: ({ assignedAt }) => assignedAt }
)

const providerUnknown = problem(
  ProviderUnknown,
  422,
  "Not a provider",
  ({ userId }) => `The user ${userId} is no active PROVIDER of the organization.`
)

export const staffUnknown = problem(
  StaffUnknown,
  422,
  "Not of the staff",
  ({ userId }) => `The user ${userId} is no active member of the organization's staff.`
)

export const userUnknown = problem(
  UserNotInOrganization,
  422,
  "Unknown user",
  ({ userId }) => `The organization knows no user ${userId}.`
)

const fileRefused = problem(FileRefused, 422, "File refused", ({ path, reason }) => `${path}, ${reason}`)

/** Cases of an organization to assign to a provider. */
export const CaseAssignments = Schema.Struct({
  organizationId: OrganizationId,
  caseIds: listUpTo(CaseId, { ...atMost("cases"), emptyMessage: "must name a case" }),
  providerId: UserId,
  assignedByUserId: Schema.optional(UserId)
})
export type CaseAssignments = typeof CaseAssignments.Type

/** The outcome for one of them. `detail` says why it is not assigned. */
export const CaseAssignment = Schema.Struct({
  caseId: CaseId,
  outcome: Schema.Literals(["ASSIGNED", "NOT_FOUND", "STATUS_CONFLICT"]),
  detail: Schema.NullOr(Schema.String)
}).annotate({ identifier: "CaseAssignment" })
export type CaseAssignment = typeof CaseAssignment.Type

const NewAttachment = Schema.Struct({ uploadedByUserId: Schema.optional(UserId), ...NewFile.fields })

/**
 * The provider who gets a case, and who assigns it. With `onlyIfUnassigned` a case that another provider has is refused.
 */
export const NewAssignment = Schema.Struct({
  providerId: UserId,
  assignedByUserId: Schema.optional(UserId),
  onlyIfUnassigned: Schema.optional(Schema.Boolean)
})
export type NewAssignment = typeof NewAssignment.Type

export class BackOfficeApi extends HttpApiGroup.make("backOffice")
  .add(
    HttpApiEndpoint.get("case", "/admin/v1/cases/:caseId", {
      params,
      success: AdminCase,
      error: caseErrors
    })
      .annotate(OpenApi.Summary, "Read a case")
      .annotate(
        OpenApi.Description,
        "Read a case with all its data. Its lists have the newest entries. Support gets no form responses and attachments unless the organization allows it: answersHidden is true then."
      ),
    HttpApiEndpoint.post("assign", "/admin/v1/cases/:caseId/assign", {
      params,
      payload: NewAssignment,
      success: AdminCase,
      error: [...caseErrors, statusConflict, taken, providerUnknown, userUnknown, staffUnknown]
    })
      .annotate(OpenApi.Summary, "Assign a case")
      .annotate(
        OpenApi.Description,
        "Assign an OPEN case to a provider, or an ASSIGNED one to another provider. assignedByUserId is the member of staff who assigns it. With onlyIfUnassigned, a case that another provider has is refused, and one that the provider has stays as it is: of parallel requests one succeeds."
      ),
    HttpApiEndpoint.post("assignAll", "/admin/v1/cases/assign", {
      payload: CaseAssignments,
      success: Schema.Struct({ data: Schema.Array(CaseAssignment) }),
      error: [...operatorErrors, organizationNotFound, providerUnknown, userUnknown, staffUnknown]
    })
      .annotate(OpenApi.Summary, "Assign cases")
      .annotate(
        OpenApi.Description,
        "Assign OPEN or ASSIGNED cases of an organization to a provider, each in a transaction of its own. The answer has the outcome of each case once, in the order of the request."
      ),
    HttpApiEndpoint.post("start", "/admin/v1/cases/:caseId/start", {
      params,
      success: AdminCase,
      error: [...caseErrors, statusConflict]
    })
      .annotate(OpenApi.Summary, "Begin work on a case")
      .annotate(
        OpenApi.Description,
        "Record that the provider begins work on an ASSIGNED case: it becomes IN_PROGRESS."
      ),
    HttpApiEndpoint.post("decide", "/admin/v1/cases/:caseId/decisions", {
      params,
      payload: NewDecision,
      success: created(Decision),
      error: [
        ...caseErrors,
        statusConflict,
        providerUnknown,
        problem(ProductNotInCase, 422, "Unknown product", ({ productId }) => `The case has no product ${productId}.`)
      ]
    })
      .annotate(OpenApi.Summary, "Decide on a case")
      .annotate(
        OpenApi.Description,
        "Add a provider's decision to a case that has a provider. The case becomes APPROVED, REJECTED or NO_DECISION."
      ),
    HttpApiEndpoint.post("comment", "/admin/v1/cases/:caseId/comments", {
      params,
      payload: NewComment,
      success: created(Comment),
      error: [...caseErrors, userUnknown, staffUnknown, fileRefused]
    })
      .annotate(OpenApi.Summary, "Comment on a case")
      .annotate(TakesFiles, true)
      .annotate(
        OpenApi.Description,
        "Add a comment of the patient or the staff to a case. A restricted comment is an internal note of the staff."
      ),
    HttpApiEndpoint.post("attach", "/admin/v1/cases/:caseId/attachments", {
      params,
      payload: NewAttachment,
      success: created(Attachment),
      error: [...caseErrors, userUnknown, fileRefused]
    })
      .annotate(OpenApi.Summary, "Attach a file")
      .annotate(TakesFiles, true)
      .annotate(OpenApi.Description, "Add a file of at most 10 MiB to a case."),
    HttpApiEndpoint.post("completeEscalation", "/admin/v1/escalations/:escalationId/complete", {
      params: { escalationId: EscalationId },
      success: Escalation,
      error: [...operatorErrors, problem(EscalationNotFound, 404, "Escalation not found", "No escalation has this id.")]
    })
      .annotate(OpenApi.Summary, "Complete an escalation")
      .annotate(OpenApi.Description, "Complete an escalation. A completed escalation is returned unchanged.")
  )
  .annotate(OpenApi.Title, "Admin: back office")
  .annotate(
    OpenApi.Description,
    "The care team's work on cases: assignment, decisions, comments, files and escalations. Of a signed-in person addedByUserId, authorUserId, uploadedByUserId and assignedByUserId are their own id, and may be left out. Providers see cases that are assigned to them, those that wait for a provider (OPEN), and those that they opened by breaking the glass."
  )
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
