import { Effect, Option, Tracer } from "effect"
import { Headers, HttpTraceContext } from "effect/http"

/**
 * The headers by which a call or a job goes on in the trace of the current span; none where nothing is traced.
 * (`Effect.currentSpan` fails there, with an error and its stack for each request.)
 */
export const traceHeaders: Effect.Effect<Headers.Headers> = Effect.map(
  Effect.serviceOption(Tracer.ParentSpan),
  (span) => (Option.isSome(span) && span.value._tag === "Span" ? HttpTraceContext.toHeaders(span.value) : Headers.empty)
)
