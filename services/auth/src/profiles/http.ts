import { AuthApi } from "@care/domain/auth"
import { AccessTokenRejected, Partner, SignedInPatient } from "@care/domain/http"
import { Effect, Option } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { UserLookup } from "./UserLookup.ts"
import { Users } from "./Users.ts"

export const UsersHandlers = HttpApiBuilder.group(
  AuthApi,
  "users",
  Effect.fnUntraced(function* (handlers) {
    const users = yield* Users
    const lookup = yield* UserLookup
    return handlers.handleAll({
      checkUser: Effect.fnUntraced(function* ({ query }) {
        return yield* lookup.check((yield* Partner).organizationId, query)
      }),
      me: Effect.fnUntraced(function* () {
        const user = yield* users.profile(yield* SignedInPatient)
        if (Option.isNone(user)) return yield* new AccessTokenRejected()
        return { data: { user: user.value } }
      }),
      updateProfile: Effect.fnUntraced(function* ({ headers, payload }) {
        const { organizationId } = yield* Partner
        const user = yield* users.updateProfile(organizationId, payload.data, headers["idempotency-key"])
        return { data: { user } }
      }),
      updateEmail: Effect.fnUntraced(function* ({ headers, payload }) {
        const { organizationId } = yield* Partner
        const user = yield* users.updateEmail(organizationId, payload.data, headers["idempotency-key"])
        return { data: { user } }
      })
    })
  })
)
