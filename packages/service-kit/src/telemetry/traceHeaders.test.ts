import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { errorsMade } from "../testing/errorsMade.ts"
import { traceHeaders } from "./traceHeaders.ts"

it.effect("the headers are those of the current span", () =>
  Effect.gen(function* () {
    const { traceId, spanId } = yield* Effect.currentSpan
    assert.strictEqual((yield* traceHeaders)?.["traceparent"], `00-${traceId}-${spanId}-01`)
  }).pipe(Effect.withSpan("a request"))
)

it.effect("without a span there are none, and no error is created", () =>
  Effect.gen(function* () {
    assert.isAbove(yield* errorsMade(Effect.option(Effect.currentSpan)), 0)
    assert.strictEqual(yield* errorsMade(traceHeaders), 0)
    assert.isUndefined(yield* traceHeaders)
    assert.isUndefined(yield* traceHeaders.pipe(Effect.withSpan("a request"), Effect.withTracerEnabled(false)))
  })
)
