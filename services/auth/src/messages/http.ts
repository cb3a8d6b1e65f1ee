import { AuthApi } from "@care/domain/auth"
import { sandboxOfPartner } from "@care/service-kit"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Messages } from "./Messages.ts"

const mailbox = HttpApiBuilder.group(
  AuthApi,
  "messages",
  Effect.fnUntraced(function* (handlers) {
    const messages = yield* Messages
    return handlers.handleAll({ list: ({ query }) => messages.list(query) })
  })
)

const ofSandbox = HttpApiBuilder.group(
  AuthApi,
  "testMessages",
  Effect.fnUntraced(function* (handlers) {
    const messages = yield* Messages
    return handlers.handleAll({
      list: ({ query }) => Effect.flatMap(sandboxOfPartner, (organizationId) => messages.listOf(organizationId, query))
    })
  })
)

export const MessagesHandlers = Layer.merge(mailbox, ofSandbox)
