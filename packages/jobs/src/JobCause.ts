import { noRequest, RequestId, traceHeaders } from "@care/service-kit"
import { Effect, Option } from "effect"
import { Headers, HttpTraceContext } from "effect/http"

/** The request that caused a job, and its span (W3C `traceparent`; null without tracing). */
export interface JobCause {
  readonly requestId: string
  readonly traceparent: string | null
}

/** Returns the cause of a job that is offered now. A job without a request has its own id as request id. */
export const currentCause = Effect.fnUntraced(function* (jobId: string) {
  const requestId = yield* RequestId
  const cause: JobCause = {
    requestId: requestId === noRequest ? jobId : requestId,
    traceparent: (yield* traceHeaders)?.["traceparent"] ?? null
  }
  return cause
})

/** Runs work with the request id of a cause, in a span of its trace. */
export const causedBy =
  ({ requestId, traceparent }: JobCause, span: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>) =>
    work.pipe(
      Effect.withSpan(span, {
        kind: "consumer",
        parent: Option.getOrUndefined(
          HttpTraceContext.w3c(Headers.fromInput({ traceparent: traceparent ?? undefined }))
        )
      }),
      Effect.provideService(RequestId, requestId)
    )
