import { AuthApi } from "@care/domain/auth"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Notices } from "./Notices.ts"

export const NoticesHandlers = HttpApiBuilder.group(
  AuthApi,
  "notices",
  Effect.fnUntraced(function* (handlers) {
    const notices = yield* Notices
    return handlers.handleAll({
      ofCases: ({ payload }) => notices.offerAll(payload.notices),
      ofEndpoint: ({ payload }) => notices.offerOfEndpoint(payload)
    })
  })
)
