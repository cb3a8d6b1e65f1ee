import { AuthApi } from "@care/domain/auth"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Members } from "./Members.ts"

export const MembersHandlers = HttpApiBuilder.group(
  AuthApi,
  "members",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* Members
    return handlers.handleAll({
      add: ({ params, payload }) => members.add(params.organizationId, payload),
      list: ({ params, query }) => members.list(params.organizationId, query),
      change: ({ params, payload }) => members.change(params.userId, payload),
      removeUser: ({ params }) => members.removeUser(params.userId)
    })
  })
)
