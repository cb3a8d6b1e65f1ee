import { AuthApi, clockAdvancePath } from "@care/domain/auth"
import { sandboxOfPartner } from "@care/service-kit"
import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { SandboxClocks } from "./SandboxClocks.ts"

const locatedAt = (path: string) =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, "location", path))
  )

export const TestClockHandlers = HttpApiBuilder.group(
  AuthApi,
  "testClock",
  Effect.fnUntraced(function* (handlers) {
    const clocks = yield* SandboxClocks
    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        return { data: yield* clocks.get(yield* sandboxOfPartner) }
      }),
      advance: Effect.fnUntraced(function* ({ payload }) {
        const organizationId = yield* sandboxOfPartner
        const advance = yield* clocks.advance(organizationId, payload)
        if (advance.state === "DONE") return { data: { now: (yield* clocks.get(organizationId)).now, advance } }
        yield* locatedAt(clockAdvancePath(advance.id))
        return { data: { progress: advance } }
      }),
      find: Effect.fnUntraced(function* ({ params }) {
        return { data: yield* clocks.find(yield* sandboxOfPartner, params.advanceId) }
      })
    })
  })
)
