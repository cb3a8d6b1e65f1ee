import { KeyNotRecognized, type OrganizationDisabled, type ResolvedKey } from "@care/domain/auth"
import { ApiKeyId, OrganizationId } from "@care/domain/ids"
import { PeerUnavailable } from "@care/service-kit"
import { assert, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { AcceptedKeys } from "./AcceptedKeys.ts"
import { makeKeyLookUp, type ResolveCredential } from "./makeKeyLookUp.ts"

const key = {
  organizationId: OrganizationId.make("3b241101-e2bb-4255-8caf-4136c566a962"),
  apiKeyId: ApiKeyId.make("1b241101-e2bb-4255-8caf-4136c566a962")
}

type ResolveKey = ResolveCredential<ResolvedKey, KeyNotRecognized | OrganizationDisabled>

const keyFound: ReturnType<ResolveKey> = Effect.succeed(key)
const keyNotRecognized: ReturnType<ResolveKey> = Effect.fail(new KeyNotRecognized())
const unavailable: ReturnType<ResolveKey> = Effect.die(new PeerUnavailable({ peer: "auth" }))

// Makes a look-up of keys with a fake auth. `setAnswer` sets the answer of auth. `outcome` returns for how many milliseconds the key
// is valid, or why it is not.
const makeScripted = (first: ReturnType<ResolveKey>, capacity = 10) => {
  let answer = first
  const lookUp = makeKeyLookUp(() => Effect.suspend(() => answer), new AcceptedKeys(capacity))
  const outcome = (hash = "hash") =>
    Effect.map(
      Effect.exit(lookUp(hash)),
      Exit.match({
        onSuccess: ({ forMillis }) => forMillis,
        onFailure: (cause) => (cause.reasons[0]?._tag === "Die" ? "died" : "refused")
      })
    )
  return {
    outcome,
    setAnswer: (next: ReturnType<ResolveKey>) => {
      answer = next
    }
  }
}

it.effect("a key that was valid is accepted for 60 seconds while auth is away, and not a millisecond more", () =>
  Effect.gen(function* () {
    const auth = makeScripted(keyFound)
    assert.strictEqual(yield* auth.outcome(), 3000)
    auth.setAnswer(unavailable)
    assert.strictEqual(yield* auth.outcome(), 1000)
    yield* TestClock.adjust("59500 millis")
    assert.strictEqual(yield* auth.outcome(), 500)
    yield* TestClock.adjust("500 millis")
    assert.strictEqual(yield* auth.outcome(), "died")
    auth.setAnswer(keyFound)
    assert.strictEqual(yield* auth.outcome(), 3000)
  })
)

it.effect("a key that auth never accepted is not accepted while auth is away", () =>
  Effect.gen(function* () {
    const auth = makeScripted(keyFound)
    assert.strictEqual(yield* auth.outcome("known"), 3000)
    auth.setAnswer(unavailable)
    assert.strictEqual(yield* auth.outcome("known"), 1000)
    assert.strictEqual(yield* auth.outcome("unknown"), "died")
  })
)

it.effect("a refusal counts immediately, and revokes an earlier acceptance", () =>
  Effect.gen(function* () {
    const auth = makeScripted(keyFound)
    assert.strictEqual(yield* auth.outcome(), 3000)
    auth.setAnswer(unavailable)
    assert.strictEqual(yield* auth.outcome(), 1000)
    auth.setAnswer(keyNotRecognized)
    assert.strictEqual(yield* auth.outcome(), "refused")
    auth.setAnswer(unavailable)
    assert.strictEqual(yield* auth.outcome(), "died")
  })
)

it.effect("a request waits at most a second for a slow answer, which counts when it arrives", () =>
  Effect.gen(function* () {
    const auth = makeScripted(keyFound)
    assert.strictEqual(yield* auth.outcome(), 3000)
    auth.setAnswer(Effect.delay(keyNotRecognized, "2 seconds"))
    const waiting = yield* Effect.forkChild(auth.outcome())
    yield* TestClock.adjust("999 millis")
    assert.isUndefined(waiting.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(waiting.pollUnsafe(), Exit.succeed(1000))
    yield* TestClock.adjust("1 second")
    auth.setAnswer(unavailable)
    assert.strictEqual(yield* auth.outcome(), "died")
  })
)

it.effect("a slow acceptance does not undo an earlier refusal", () =>
  Effect.gen(function* () {
    const auth = makeScripted(keyFound)
    assert.strictEqual(yield* auth.outcome(), 3000)
    auth.setAnswer(Effect.delay(keyFound, "2 seconds"))
    const waiting = yield* Effect.forkChild(auth.outcome())
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(waiting.pollUnsafe(), Exit.succeed(1000))
    auth.setAnswer(keyNotRecognized)
    assert.strictEqual(yield* auth.outcome(), "refused")
    yield* TestClock.adjust("1 second")
    auth.setAnswer(unavailable)
    assert.strictEqual(yield* auth.outcome(), "died")
  })
)

it.effect("a failure inside auth does not count as auth being unavailable", () =>
  Effect.gen(function* () {
    const auth = makeScripted(keyFound)
    assert.strictEqual(yield* auth.outcome(), 3000)
    auth.setAnswer(Effect.die(new Error("broken")))
    assert.strictEqual(yield* auth.outcome(), "died")
  })
)

it.effect("the most recently used keys are remembered as valid, up to the capacity", () =>
  Effect.gen(function* () {
    const auth = makeScripted(keyFound, 2)
    for (const hash of ["one", "two", "one", "three"]) assert.strictEqual(yield* auth.outcome(hash), 3000)
    auth.setAnswer(unavailable)
    assert.strictEqual(yield* auth.outcome("two"), "died")
    assert.strictEqual(yield* auth.outcome("one"), 1000)
    assert.strictEqual(yield* auth.outcome("three"), 1000)
  })
)
