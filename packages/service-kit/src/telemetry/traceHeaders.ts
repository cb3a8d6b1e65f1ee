import { Context, Effect, Option, Tracer } from "effect"
import { type Headers, HttpTraceContext } from "effect/http"

const isTraced = (span: Tracer.AnySpan): span is Tracer.Span =>
  span._tag === "Span" && !Context.get(span.annotations, Tracer.DisablePropagation)

/**
 * The headers by which a call or a job goes on in the trace of the current span; undefined where nothing is traced.
 * (`Effect.currentSpan` fails there, with an error and its stack for each request.)
 */
export const traceHeaders: Effect.Effect<Headers.Headers | undefined> = Effect.map(
  Effect.serviceOption(Tracer.ParentSpan),
  (span) => (Option.isSome(span) && isTraced(span.value) ? HttpTraceContext.toHeaders(span.value) : undefined)
)
