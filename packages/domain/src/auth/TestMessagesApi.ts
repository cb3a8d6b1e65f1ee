import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { ok } from "../http/ok.ts"
import { PageCursor, PageQuery } from "../http/Page.ts"
import { queryReceiver } from "../http/queryParameters.ts"
import { TestMessage } from "./Message.ts"
import { testErrors } from "./testErrors.ts"

/** The filter of a sandbox's messages: one receiver. */
export const TestMessagesQuery = { ...PageQuery, to: queryReceiver }
export type TestMessagesQuery = Schema.Struct.Type<typeof TestMessagesQuery>

/** Partner API: what a sandbox would have sent. */
export class TestMessagesApi extends HttpApiGroup.make("testMessages")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/test/messages", {
      query: TestMessagesQuery,
      success: ok({ data: Schema.Array(TestMessage), nextCursor: Schema.NullOr(PageCursor) }),
      error: testErrors
    })
      .annotate(OpenApi.Summary, "List messages")
      .annotate(
        OpenApi.Description,
        "Lists the emails and SMS of your sandbox, newest first, which nobody gets: the newest 1,000, for seven days. `to` is an email or a phone number."
      )
  )
  .annotate(OpenApi.Title, "Test mode: messages")
  .annotate(OpenApi.Description, "The emails and SMS of a sandbox, which are not sent.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
