import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { Email } from "../http/Email.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { created } from "../http/ok.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { nameUpTo } from "../http/Text.ts"
import { UserId } from "../Ids.ts"
import { EmailTaken, LastOperator, Member, UserNotFound } from "./User.ts"

export const NewOperator = Schema.Struct({
  email: Email,
  firstName: nameUpTo(lengths.name),
  lastName: nameUpTo(lengths.name)
})
export type NewOperator = typeof NewOperator.Type

export class StaffAdminApi extends HttpApiGroup.make("staffAdmin")
  .add(
    HttpApiEndpoint.post("invite", "/admin/v1/operators", {
      payload: NewOperator,
      success: created(Member),
      error: [
        ...operatorErrors,
        problem(EmailTaken, 409, "Email taken", ({ email }) => `There is an operator with the email ${email} already.`)
      ]
    })
      .annotate(OpenApi.Summary, "Add an operator")
      .annotate(OpenApi.Description, "Adds a person of the platform, who signs in with a code to their email."),
    HttpApiEndpoint.get("operators", "/admin/v1/operators", {
      query: PageQuery,
      success: pageOf(Member),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "List operators")
      .annotate(OpenApi.Description, "Lists the people of the platform, oldest first."),
    HttpApiEndpoint.delete("removeOperator", "/admin/v1/operators/:userId", {
      params: { userId: UserId },
      success: HttpApiSchema.NoContent.annotate({ description: "Done" }),
      error: [
        ...operatorErrors,
        problem(UserNotFound, 404, "Operator not found", ({ userId }) => `No active operator has the id ${userId}.`),
        problem(LastOperator, 409, "Last operator", "It is the only operator. Add another one first.")
      ]
    })
      .annotate(OpenApi.Summary, "Deactivate an operator")
      .annotate(
        OpenApi.Description,
        "Deactivates a person of the platform, whose sessions end. The last operator cannot be deactivated."
      ),
    HttpApiEndpoint.post("resetSignIn", "/admin/v1/users/:userId/reset-sign-in", {
      params: { userId: UserId },
      success: HttpApiSchema.NoContent.annotate({ description: "Done" }),
      error: [
        ...operatorErrors,
        problem(UserNotFound, 404, "User not found", ({ userId }) => `No member of staff has the id ${userId}.`)
      ]
    })
      .annotate(OpenApi.Summary, "Reset the sign-in of a member")
      .annotate(
        OpenApi.Description,
        "Removes the passkeys, codes and sessions of a member of staff, who gets a message. With their next one-time code they enrol a passkey again."
      )
  )
  .annotate(OpenApi.Title, "Admin: operators and sign-in")
  .annotate(OpenApi.Description, "The people of the platform, and the sign-in of members of staff.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
