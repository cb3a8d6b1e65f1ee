import type { IncomingHttpHeaders } from "node:http"
import { type PublicCaller, publicCallers } from "@care/domain/http"
import { IdentityTokens, identityHeader } from "@care/service-kit"
import { layerTestConfig } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Record } from "effect"
import { ask } from "../testing/requests.ts"
import { runGateway } from "../testing/runGateway.ts"
import { answerLength, keys } from "../testing/Upstream.ts"
import { plainRoutes } from "./routes.ts"

// The credentials of each kind of caller.
const credentialHeaders: Record.ReadonlyRecord<PublicCaller, Readonly<Record<string, string>>> = {
  partner: { "cv-api-key": keys.one, authorization: "Bearer of-a-patient" },
  link: { authorization: "Bearer of-somebody" },
  operator: { authorization: "Bearer operator" },
  session: { authorization: "Bearer of-staff", cookie: "care_staff=of-staff" },
  pharmacy: { authorization: "Bearer of-a-pharmacy" },
  stripe: { authorization: "Bearer of-stripe" },
  scheduling: { authorization: "Bearer of-scheduling" }
}

for (const [kind, { credentials, hasAuthorizationForService, hasCookieForService }] of Record.toEntries(
  publicCallers
)) {
  it.live(`a ${kind} is accepted with its credentials, and the service gets its identity without them`, () =>
    Effect.gen(function* () {
      const received: Array<IncomingHttpHeaders> = []
      const { url } = yield* runGateway({
        handle: (request, response) => {
          received.push(request.headers)
          answerLength(request, response)
        }
      })
      const routes = plainRoutes.filter(({ caller }) => caller === kind)
      const route = routes.find(({ endpoint }) => endpoint.method === "GET") ?? routes[0]
      const method = route?.endpoint.method ?? "GET"
      const path = `${url}${route?.endpoint.path.replaceAll(/:\w+/g, "x")}`

      const withoutCredentials = yield* ask(path, { method })
      assert.strictEqual(withoutCredentials.status < 300, Record.isEmptyRecord(credentials))
      received.length = 0

      assert.strictEqual(
        (yield* ask(path, { method, headers: { cookie: "any=1", ...credentialHeaders[kind] } })).status,
        200
      )
      const [headers = {}] = received
      const token = headers[identityHeader]
      const identity = yield* (yield* IdentityTokens).verify(typeof token === "string" ? token : undefined)
      assert.strictEqual(identity?._tag, kind)
      assert.strictEqual(headers["cv-api-key"], undefined)
      assert.strictEqual(headers.authorization !== undefined, hasAuthorizationForService)
      assert.strictEqual(headers.cookie !== undefined, hasCookieForService)
    }).pipe(Effect.provide(IdentityTokens.layer.pipe(Layer.provide(layerTestConfig()))))
  )
}
