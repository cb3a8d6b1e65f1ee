import { AuthApi } from "@care/domain/auth"
import { sandboxOfPartner } from "@care/service-kit"
import { DateTime, Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { SandboxResets } from "./SandboxResets.ts"

export const TestResetHandlers = HttpApiBuilder.group(
  AuthApi,
  "testReset",
  Effect.fnUntraced(function* (handlers) {
    const { reset } = yield* SandboxResets
    return handlers.handleAll({
      reset: Effect.fnUntraced(function* () {
        const isDone = yield* reset(yield* sandboxOfPartner)
        return isDone ? { data: { now: yield* DateTime.nowAsDate } } : { data: { isResetting: true as const } }
      })
    })
  })
)
