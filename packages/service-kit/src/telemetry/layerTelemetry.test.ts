import { assert, it } from "@effect/vitest"
import { Cause, Data, Effect, Schema, Tracer } from "effect"
import { discreetTracer } from "./layerTelemetry.ts"

class EmailTaken extends Schema.TaggedError<EmailTaken>("EmailTaken")("EmailTaken", { email: Schema.String }) {}
class Refused extends Data.TaggedError("Refused")<{ readonly refusal: EmailTaken }> {}

const email = "maria@example.com"

const spansOf = Effect.fnUntraced(function* (wrap: (tracer: Tracer.Tracer) => Tracer.Tracer) {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span(options) {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const annotated = Effect.annotateCurrentSpan({ "url.query": `email=${email}`, "url.path": "/internal/v1/people" })
  const failing = Effect.andThen(annotated, new Refused({ refusal: new EmailTaken({ email }) }))
  yield* Effect.exit(Effect.provideService(Effect.withSpan(failing, "add"), Tracer.Tracer, wrap(tracer)))
  return JSON.stringify(
    spans.map(({ attributes, name, status }) => ({
      name,
      attributes: [...attributes],
      failure: status._tag === "Ended" && status.exit._tag === "Failure" ? Cause.pretty(status.exit.cause) : undefined
    }))
  )
})

it.effect("a span has the kind of a failure and the path of a URL, and no data", () =>
  Effect.gen(function* () {
    const spans = yield* spansOf(discreetTracer)
    assert.include(spans, "/internal/v1/people")
    assert.include(spans, "Refused")
    assert.notInclude(spans, email)
    assert.include(yield* spansOf((tracer) => tracer), email)
  })
)
