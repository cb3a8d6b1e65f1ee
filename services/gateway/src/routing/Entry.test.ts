import { keysAs, message } from "@care/domain/http"
import { serveRoutes } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { mebibyte } from "../mebibyte.ts"
import { endpointsOf } from "../testing/endpointsOf.ts"
import { layerTestEntry } from "../testing/layerTestEntry.ts"
import { ask } from "../testing/requests.ts"
import { answerLength, keys, resolveKnownKey, upstream } from "../testing/Upstream.ts"
import { Entry } from "./Entry.ts"
import { type SharedPath, sharedPaths } from "./routes.ts"

const endpointOf = endpointsOf(
  HttpApi.make("made-up").add(
    HttpApiGroup.make("made-up").add(
      HttpApiEndpoint.post("path", "/shared", { error: keysAs(message, 401, "by the path") }),
      HttpApiEndpoint.post("operation", "/shared/CLOSE", { error: keysAs(message, 401, "by the operation") })
    )
  )
)

const example = sharedPaths.flatMap(({ actions }) => [...actions.values()]).find(({ owner }) => owner === "auth")
if (example === undefined) throw new Error("no operation")

const path: SharedPath = {
  endpoint: endpointOf("path"),
  actions: new Map([["CLOSE", { ...example, owner: "auth", endpoint: endpointOf("operation"), action: "CLOSE" }]]),
  maxBodyBytes: mebibyte
}

it.live(
  "a refused key is answered in the form of the operation, which a small body may name, otherwise of the path",
  () =>
    Effect.gen(function* () {
      const services = yield* upstream(resolveKnownKey, answerLength)
      const routes = Layer.unwrap(Effect.map(Entry, (entry) => HttpRouter.add("POST", "/shared", entry.shared(path))))
      const url = yield* serveRoutes(
        Layer.provide(routes, layerTestEntry({ AUTH_URL: services.url, CASES_URL: services.url }))
      )
      const accepted = yield* ask(`${url}/shared`, { method: "POST", body: '{"action":"CLOSE"}', key: keys.one })
      assert.strictEqual(accepted.status, 200)
      assert.lengthOf(services.targets, 1)
      const refusals: ReadonlyArray<readonly [string, string]> = [
        ['{"action":"CLOSE"}', "by the operation"],
        ['{"action":"DANCE"}', "by the path"],
        ["", "by the path"],
        [`{"action":"CLOSE","filler":"${"x".repeat(20_000)}"}`, "by the path"]
      ]
      for (const [body, message] of refusals) {
        for (const options of [{}, { key: "cv_wrong" }]) {
          const refused = yield* ask(`${url}/shared`, { method: "POST", body, ...options })
          assert.deepStrictEqual([refused.status, refused.json], [401, { success: false, message }])
        }
      }
      assert.lengthOf(services.targets, 1)
    })
)
