import { join } from "node:path"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Clock, Duration, Effect } from "effect"
import { ask, pay, startStripe } from "../../test/stripe.ts"
import { Ledger } from "./Ledger.ts"

it.live("answers are forgotten after a day, and events after a month, but no objects", () =>
  Effect.gen(function* () {
    const file = join(yield* temporaryFolder(), "stripe.journal")
    const real = yield* Clock.Clock
    const laterBy = (ahead: Duration.Input) => ({
      ...real,
      currentTimeMillisUnsafe: () => real.currentTimeMillisUnsafe() + Duration.toMillis(ahead)
    })
    const kept = Effect.fnUntraced(function* (ahead: Duration.Input) {
      yield* startStripe({ file }).pipe(Effect.provideService(Clock.Clock, laterBy(ahead)), Effect.scoped)
      const ledger = new Ledger(file)
      return [ledger.all("kept_answer").length, ledger.all("event").length > 0, ledger.all("charge").length]
    })
    yield* Effect.scoped(
      Effect.gen(function* () {
        const { stripe } = yield* startStripe({ file })
        yield* ask(() => stripe.customers.create({}, { idempotencyKey: "k1" }))
        yield* pay(stripe)
      })
    )
    // The official client makes a key of its own for each request.
    assert.deepStrictEqual(yield* kept("23 hours"), [2, true, 1])
    assert.deepStrictEqual(yield* kept("25 hours"), [0, true, 1])
    assert.deepStrictEqual(yield* kept("31 days"), [0, false, 1])
  }).pipe(Effect.scoped)
)
