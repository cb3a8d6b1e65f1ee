import { noRequest, RequestId, traceHeaders } from "@care/service-kit"
import { Effect, Option } from "effect"
import { Headers, HttpTraceContext } from "effect/http"

/** Who caused a job: the request, and the span in its trace (W3C `traceparent`; null when nothing is traced). */
export interface JobCause {
  readonly requestId: string
  readonly traceparent: string | null
}

/** The cause of a job that is offered now. One that no request causes goes by its own id. */
export const currentCause = Effect.fnUntraced(function* (jobId: string) {
  const requestId = yield* RequestId
  const cause: JobCause = {
    requestId: requestId === noRequest ? jobId : requestId,
    traceparent: (yield* traceHeaders)?.["traceparent"] ?? null
  }
  return cause
})

/** Goes on in the name of the cause: under its request id, in a span of its trace. */
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
