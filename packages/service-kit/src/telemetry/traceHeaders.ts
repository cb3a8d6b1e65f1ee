import { Context, Effect, Option, Tracer } from "effect"
import { type Headers, HttpTraceContext } from "effect/http"

const isTraced = (span: Tracer.AnySpan): span is Tracer.Span =>
  span._tag === "Span" && !Context.get(span.annotations, Tracer.DisablePropagation)

/** Returns the headers that continue the current trace, if there is a span. (Without one, `Effect.currentSpan` creates an error with a stack.) */
export const traceHeaders: Effect.Effect<Headers.Headers | undefined> = Effect.map(
  Effect.serviceOption(Tracer.ParentSpan),
  (span) => (Option.isSome(span) && isTraced(span.value) ? HttpTraceContext.toHeaders(span.value) : undefined)
)
