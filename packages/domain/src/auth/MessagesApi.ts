import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { queryReceiver } from "../http/queryParameters.ts"
import { anyCase } from "../http/Text.ts"
import { MailboxAbsent, Message } from "./Message.ts"
import { MessageChannel } from "./SignIn.ts"

/** The filters of the mailbox: one receiver, and optionally one channel. */
export const MessagesQuery = {
  ...PageQuery,
  to: queryReceiver,
  channel: Schema.optionalKey(anyCase(MessageChannel))
}
export type MessagesQuery = Schema.Struct.Type<typeof MessagesQuery>

export class MessagesApi extends HttpApiGroup.make("messages")
  .add(
    HttpApiEndpoint.get("list", "/admin/v1/messages", {
      query: MessagesQuery,
      success: pageOf(Message),
      error: [
        ...operatorErrors,
        problem(
          MailboxAbsent,
          404,
          "No mailbox",
          "There is a local mailbox in development and test only, and only where messages are not really delivered."
        )
      ]
    })
      .annotate(OpenApi.Summary, "List messages")
      .annotate(
        OpenApi.Description,
        "List the emails and SMS in the local mailbox of development and test, newest first."
      )
  )
  .annotate(OpenApi.Title, "Admin: messages")
  .annotate(OpenApi.Description, "The emails and SMS to patients and staff, on installations that do not deliver them.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
