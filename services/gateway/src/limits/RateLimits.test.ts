import { encodeError, RateLimited, rateLimited } from "@care/domain/http"
import { OrganizationId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpApiEndpoint as Endpoint, HttpApi, type HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { TestClock } from "effect/testing"
import { layerTestSettings } from "../testing/layerTestSettings.ts"
import { RateLimits } from "./RateLimits.ts"

const one = OrganizationId.make("3b241101-e2bb-4255-8caf-4136c566a962")
const other = OrganizationId.make("9b241101-e2bb-4255-8caf-4136c566a962")
const rule = (name: string) => ({ name, requests: 5, windowSeconds: 60 })

layer(RateLimits.layerMemory.pipe(Layer.provide(layerTestSettings({ RATE_LIMIT_USER_LOOKUP: "2" }))))(
  "RateLimits",
  (it) => {
    it.effect("lets through exactly so many requests of an organization in a window", () =>
      Effect.gen(function* () {
        const limits = yield* RateLimits
        const outcomes = yield* Effect.all(
          Array.from({ length: 12 }, () => Effect.isSuccess(limits.count(rule("LIST"), one))),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(outcomes.filter((isSuccess) => isSuccess).length, 5)
        assert.isTrue(yield* Effect.isSuccess(limits.count(rule("LIST"), other)))
        assert.isTrue(yield* Effect.isSuccess(limits.count(rule("BOOK"), one)))
        yield* TestClock.adjust("60 seconds")
        assert.isTrue(yield* Effect.isSuccess(limits.count(rule("LIST"), one)))
      })
    )

    it.effect("lets through as many as the environment says, and says so itself", () =>
      Effect.gen(function* () {
        const limits = yield* RateLimits
        const lookup = limits.count(rule("USER_LOOKUP"), one)
        yield* Effect.all([lookup, lookup])
        assert.deepStrictEqual(yield* Effect.flip(lookup), new RateLimited({ retryAfter: 60, limit: 2 }))
      })
    )

    it.effect("is answered with the documented body", () =>
      Effect.sync(() => {
        const endpoints: Array<HttpApiEndpoint.Top> = []
        HttpApi.reflect(
          HttpApi.make("made-up").add(
            HttpApiGroup.make("limited").add(Endpoint.get("list", "/list", { error: rateLimited }))
          ),
          { onGroup: () => {}, onEndpoint: ({ endpoint }) => endpoints.push(endpoint) }
        )
        const [endpoint] = endpoints
        if (endpoint === undefined) throw new Error("no endpoint")
        assert.deepStrictEqual(encodeError(endpoint, new RateLimited({ retryAfter: 60, limit: 500 })), {
          status: 429,
          contentType: "application/json",
          body: {
            status: 429,
            success: false,
            error: "Rate limit exceeded",
            message: "At most 500 requests per 60 seconds are allowed. Try again later.",
            retryAfter: 60
          }
        })
      })
    )
  }
)
