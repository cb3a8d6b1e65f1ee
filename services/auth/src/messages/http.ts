import { AuthApi } from "@care/domain/auth"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Messages } from "./Messages.ts"

export const MessagesHandlers = HttpApiBuilder.group(
  AuthApi,
  "messages",
  Effect.fnUntraced(function* (handlers) {
    const messages = yield* Messages
    return handlers.handleAll({ list: ({ query }) => messages.list(query) })
  })
)
