import { callers } from "@care/domain/http"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Logger, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { layerTestConfig } from "../testing/layerTestConfig.ts"
import { IdentityTokens } from "./IdentityTokens.ts"

const tokensWith = (first: string, ...others: ReadonlyArray<string>) =>
  Layer.provide(
    IdentityTokens.layer,
    layerTestConfig({ internalSecrets: [Redacted.make(first), ...others.map((text) => Redacted.make(text))] })
  )

const identity = callers.service.Identity.make({ service: "cases" })

layer(tokensWith("one"))("IdentityTokens", (it) => {
  it.effect("verifies the tokens that it mints", () =>
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
      assert.deepInclude(yield* Effect.flip(tokens.verify(token)), { _tag: "ClockSkew", seconds: 30 })
    })
  )

  it.effect("refuses a caller whose clock is behind, accepts one whose clock is ahead, and logs each token once", () =>
    Effect.gen(function* () {
      const tokens = yield* IdentityTokens
      const lines: Array<string> = []
      const logged = Effect.provide(
        Logger.layer([Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${message}`))])
      )
      const callers = Effect.provide(Layer.fresh(tokensWith("one")))
      yield* TestClock.setTime(1_000_000)
      const behind = yield* Effect.flatMap(IdentityTokens, (other) => other.mint(identity)).pipe(callers)
      yield* TestClock.setTime(1_095_000)
      for (let time = 0; time < 2; time += 1) {
        const skew = yield* Effect.flip(tokens.verify(behind)).pipe(logged)
        assert.deepInclude(skew, { _tag: "ClockSkew", seconds: 95 })
      }
      const ahead = yield* Effect.flatMap(IdentityTokens, (other) => other.mint(identity)).pipe(callers)
      yield* TestClock.setTime(1_000_000)
      assert.deepStrictEqual(yield* tokens.verify(ahead).pipe(logged), identity)
      assert.lengthOf(lines, 2)
      assert.match(lines[0] ?? "", /^Error .*clocks of two processes differ.* was 95 s old/)
      assert.match(lines[1] ?? "", /^Error .*clocks of two processes differ.* is of 95 s from now/)
    })
  )

  it.effect("an identity has the same token for 10 seconds, and then a new one with its own lifetime", () =>
    Effect.gen(function* () {
      const tokens = yield* IdentityTokens
      const caller = callers.service.Identity.make({ service: "payments" })
      const token = yield* tokens.mint(caller)
      yield* TestClock.adjust("9999 millis")
      assert.strictEqual(yield* tokens.mint(caller), token)
      assert.notStrictEqual(yield* tokens.mint(identity), token)
      yield* TestClock.adjust("1 millis")
      const next = yield* tokens.mint(caller)
      yield* TestClock.adjust("29999 millis")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(tokens.verify(token))))
      assert.deepStrictEqual(yield* tokens.verify(next), caller)
    })
  )

  it.effect("refuses tokens that are missing, malformed, changed, or signed with another secret", () =>
    Effect.gen(function* () {
      const tokens = yield* IdentityTokens
      const token = yield* tokens.mint(identity)
      const [claims = "", signature = ""] = token.split(".")
      const operator = (yield* tokens.mint(callers.operator.Identity.make({}))).split(".")[0] ?? ""
      const foreign = yield* Effect.flatMap(IdentityTokens, (other) => other.mint(identity)).pipe(
        Effect.provide(Layer.fresh(tokensWith("two")))
      )
      const malformed = [undefined, "", ".", "a.b", `${claims}.`, `.${signature}`, `${token}.x`]
      for (const candidate of [...malformed, `${operator}.${signature}`, foreign]) {
        assert.isUndefined(yield* tokens.verify(candidate))
      }
    })
  )
})

layer(Layer.empty)("IdentityTokens: lists of secrets", (it) => {
  const list = fc.shuffledSubarray(["one", "two", "three", "four"], { minLength: 1 })
  const through = ([first = "", ...others]: ReadonlyArray<string>) =>
    Effect.provide(Layer.fresh(tokensWith(first, ...others)))

  it.effect("a token is valid where the first secret of its signer is known, in any order of both lists", () =>
    Effect.gen(function* () {
      for (const [signer, verifier] of fc.sample(fc.tuple(list, list), 300)) {
        const token = yield* Effect.flatMap(IdentityTokens, (tokens) => tokens.mint(identity)).pipe(through(signer))
        const known = yield* Effect.flatMap(IdentityTokens, (tokens) => tokens.verify(token)).pipe(through(verifier))
        const isKnown = verifier.includes(signer[0] ?? "")
        assert.deepStrictEqual(known, isKnown ? identity : undefined, `${signer} to ${verifier}`)
      }
    })
  )
})
