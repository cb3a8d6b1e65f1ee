import { AuthApi } from "@care/domain/auth"
import { Partner } from "@care/domain/http"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { SignIn } from "./SignIn.ts"

export const SignInHandlers = HttpApiBuilder.group(
  AuthApi,
  "signIn",
  Effect.fnUntraced(function* (handlers) {
    const signIn = yield* SignIn
    return handlers.handleAll({
      sendCode: Effect.fnUntraced(function* ({ payload }) {
        yield* signIn.sendCode((yield* Partner).organizationId, payload)
        return {}
      }),
      verifyCode: Effect.fnUntraced(function* ({ payload }) {
        const { organizationId } = yield* Partner
        return yield* signIn.verifyCode(organizationId, payload, payload.code)
      }),
      refresh: Effect.fnUntraced(function* ({ payload }) {
        return yield* signIn.refresh((yield* Partner).organizationId, payload.refresh_token)
      }),
      signOut: Effect.fnUntraced(function* ({ payload }) {
        yield* signIn.signOut((yield* Partner).organizationId, payload.refresh_token)
        return {}
      })
    })
  })
)
