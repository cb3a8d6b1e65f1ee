import { callers } from "@care/domain/http"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { ServiceConfig } from "../config/ServiceConfig.ts"
import { IdentityTokens } from "./IdentityTokens.ts"

const tokensWith = (secret: string) =>
  IdentityTokens.layer.pipe(
    Layer.provide(
      Layer.succeed(ServiceConfig, {
        name: "test",
        host: "127.0.0.1",
        port: 0,
        isProduction: false,
        internalSecret: Redacted.make(secret),
        otlpEndpoint: undefined
      })
    )
  )

const identity = callers.service.Identity.make({ service: "cases" })

layer(tokensWith("one"))("IdentityTokens", (it) => {
  it.effect("verifies what it minted", () =>
    Effect.gen(function* () {
      const tokens = yield* IdentityTokens
      assert.deepStrictEqual(yield* tokens.verify(yield* tokens.mint(identity)), identity)
    })
  )

  it.effect("a token lives 30 seconds, and not a millisecond more", () =>
    Effect.gen(function* () {
      const tokens = yield* IdentityTokens
      const token = yield* tokens.mint(identity)
      yield* TestClock.adjust("29999 millis")
      assert.isDefined(yield* tokens.verify(token))
      yield* TestClock.adjust("1 millis")
      assert.isUndefined(yield* tokens.verify(token))
    })
  )

  it.effect("an identity has the same token for 10 seconds, and then one that lives anew", () =>
    Effect.gen(function* () {
      const tokens = yield* IdentityTokens
      const asked = callers.service.Identity.make({ service: "payments" })
      const token = yield* tokens.mint(asked)
      yield* TestClock.adjust("9999 millis")
      assert.strictEqual(yield* tokens.mint(asked), token)
      assert.notStrictEqual(yield* tokens.mint(identity), token)
      yield* TestClock.adjust("1 millis")
      const next = yield* tokens.mint(asked)
      yield* TestClock.adjust("29999 millis")
      assert.isUndefined(yield* tokens.verify(token))
      assert.deepStrictEqual(yield* tokens.verify(next), asked)
    })
  )

  it.effect("refuses what is missing, malformed, changed, or signed with another secret", () =>
    Effect.gen(function* () {
      const tokens = yield* IdentityTokens
      const token = yield* tokens.mint(identity)
      const [claims = "", signature = ""] = token.split(".")
      const operator = (yield* tokens.mint(callers.operator.Identity.make({}))).split(".")[0] ?? ""
      const foreign = yield* Effect.flatMap(IdentityTokens, (other) => other.mint(identity)).pipe(
        Effect.provide(Layer.fresh(tokensWith("two")))
      )
      const bad = [
        undefined,
        "",
        ".",
        "a.b",
        `${claims}.`,
        `.${signature}`,
        `${token}.x`,
        `${operator}.${signature}`,
        foreign
      ]
      for (const given of bad) assert.isUndefined(yield* tokens.verify(given))
    })
  )
})
