import { Effect, Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { UsState } from "../http/addressCodes.ts"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { Email } from "../http/Email.ts"
import { atMost, optionalListUpTo } from "../http/listUpTo.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { created } from "../http/ok.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { PhoneNumber } from "../http/PhoneNumber.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { StandbyRead, standbyReads } from "../http/standbyReads.ts"
import { nameUpTo } from "../http/Text.ts"
import { OrganizationId, UserId } from "../Ids.ts"
import { organizationNotFound } from "./OrganizationsApi.ts"
import { MemberRole } from "./Role.ts"
import { EmailTaken, Member, PhoneNumberTaken, UserNotFound } from "./User.ts"

const shortText = nameUpTo(lengths.name)

export const NewMember = Schema.Struct({
  email: Email,
  firstName: shortText,
  lastName: shortText,
  role: MemberRole,
  phoneNumber: Schema.optional(PhoneNumber),
  title: Schema.optional(shortText),
  titleSuffix: Schema.optional(shortText),
  npi: Schema.optional(shortText),
  dea: Schema.optional(shortText),
  licensedStates: optionalListUpTo(UsState, atMost("states"))
})
export type NewMember = typeof NewMember.Type

/** A change of a member. Null removes what it names. */
export const MemberChange = Schema.Struct({
  firstName: Schema.optional(shortText),
  lastName: Schema.optional(shortText),
  role: Schema.optional(MemberRole),
  title: Schema.optionalKey(Schema.NullOr(shortText)),
  titleSuffix: Schema.optionalKey(Schema.NullOr(shortText)),
  npi: Schema.optionalKey(Schema.NullOr(shortText)),
  dea: Schema.optionalKey(Schema.NullOr(shortText)),
  licensedStates: NewMember.fields.licensedStates
})
export type MemberChange = typeof MemberChange.Type

/** The query of the list of members: the active ones, by default, or those who were deleted. */
export const MembersQuery = {
  ...PageQuery,
  isActive: Schema.Literals(["true", "false"]).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed("true")))
}
export type MembersQuery = Schema.Struct.Type<typeof MembersQuery>

export class MembersApi extends HttpApiGroup.make("members")
  .add(
    HttpApiEndpoint.post("add", "/admin/v1/organizations/:organizationId/members", {
      params: { organizationId: OrganizationId },
      payload: NewMember,
      success: created(Member),
      error: [
        ...operatorErrors,
        organizationNotFound,
        problem(
          EmailTaken,
          409,
          "Email taken",
          ({ email }) => `The organization has a user with the email ${email} already.`
        ),
        problem(
          PhoneNumberTaken,
          409,
          "Phone number taken",
          "The phone number belongs to another user of the organization."
        )
      ]
    })
      .annotate(OpenApi.Summary, "Add a member")
      .annotate(OpenApi.Description, "Add a member of staff to an organization."),
    HttpApiEndpoint.get("list", "/admin/v1/organizations/:organizationId/members", {
      params: { organizationId: OrganizationId },
      query: MembersQuery,
      success: pageOf(Member),
      error: [...operatorErrors, organizationNotFound]
    })
      .annotate(StandbyRead, standbyReads.list)
      .annotate(OpenApi.Summary, "List members")
      .annotate(
        OpenApi.Description,
        "List the staff of an organization, oldest first. isActive=false lists those who were deleted."
      ),
    HttpApiEndpoint.patch("change", "/admin/v1/users/:userId", {
      params: { userId: UserId },
      payload: MemberChange,
      success: Member,
      error: [
        ...operatorErrors,
        problem(
          UserNotFound,
          404,
          "Member not found",
          ({ userId }) => `No active member of staff has the id ${userId}.`
        )
      ]
    })
      .annotate(OpenApi.Summary, "Change a member")
      .annotate(
        OpenApi.Description,
        "Change the given fields of a member of staff. Someone who is no PROVIDER any more keeps the cases that they have begun; the others are given to other providers. A provider with new licenses gets waiting cases."
      ),
    HttpApiEndpoint.delete("removeUser", "/admin/v1/users/:userId", {
      params: { userId: UserId },
      success: HttpApiSchema.NoContent.annotate({ description: "Done" }),
      error: [
        ...operatorErrors,
        problem(UserNotFound, 404, "User not found", ({ userId }) => `No user has the id ${userId}.`)
      ]
    })
      .annotate(OpenApi.Summary, "Delete a user")
      .annotate(OpenApi.Description, "Delete a user. Cases still show the user as their submitter.")
  )
  .annotate(OpenApi.Title, "Admin: members and users")
  .annotate(OpenApi.Description, "The staff of organizations.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
