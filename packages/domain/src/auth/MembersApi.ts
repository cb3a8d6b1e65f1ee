import { Schema } from "effect"
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
import { PhoneNumber } from "../http/PhoneNumber.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
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
