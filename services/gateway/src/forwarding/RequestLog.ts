import { randomUUID } from "node:crypto"
import { AuthApi, type RequestLogBatch } from "@care/domain/auth"
import { callers, errorCodeHeader, type Identity } from "@care/domain/http"
import { isUnavailable, RequestId, unexpected } from "@care/service-kit"
import { Clock, Context, Effect, Layer, Metric, Schedule } from "effect"
import type { HttpServerResponse } from "effect/http"
import { type Cell, peerOf, perCell } from "../cells/index.ts"
import { RequestBuffer } from "./RequestBuffer.ts"

// About 10 MB for each cell: more than the requests of some seconds.
const capacity = 20_000

const droppedRequests = Metric.counter("request_logs_dropped_total", {
  description: "Requests that are missing in the request log, because too many came or auth did not store them",
  incremental: true
})

/** A request that is being answered. Its path is that of the contract. */
export interface OpenRequest {
  readonly cell: Cell
  readonly identity: Identity
  readonly method: string
  readonly path: string
  /** When it arrived, in milliseconds since 1970. */
  readonly since: number
}

/** The list of the log is not logged, so that following it ends. */
const unlogged = "/api/v1/request-logs"

interface RequestLog {
  /** Logs a request of a partner when its answer begins. A request of others is not logged. */
  readonly logged: <E, R>(
    request: () => OpenRequest,
    answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
}

/** The log of partners' requests. Without `layerRequestLog` nothing is logged. */
export const RequestLog = Context.Reference<RequestLog>("@care/gateway/forwarding/RequestLog", {
  defaultValue: () => ({ logged: (_request, answer) => answer })
})

/** Keeps requests in memory, and stores them within about a second at the auth of the organization's cell. */
export const layerRequestLog = Layer.effect(
  RequestLog,
  Effect.gen(function* () {
    const clock = yield* Clock.Clock

    // Sends one batch after the other, until none is left or one is not stored.
    const makeFlush = Effect.fnUntraced(function* (cell: Cell, buffer: RequestBuffer) {
      const auth = yield* peerOf(cell, AuthApi, "loggedRequests")
      const sendOne = Effect.gen(function* () {
        const batch = buffer.peek()
        if (batch === undefined) return false
        const { dropped, requests } = batch
        const payload = JSON.stringify({ requests, dropped } satisfies RequestLogBatch)
        const outcome = yield* auth.store({ payload }).pipe(Effect.catchTags(unexpected))
        buffer.remove(batch, outcome)
        return outcome.waiting.length === 0
      })
      // A batch that is refused would never be stored.
      const drop = Effect.suspend(() => {
        const batch = buffer.peek()
        if (batch === undefined) return Effect.void
        buffer.remove(batch, { waiting: [], full: [] })
        return Effect.andThen(
          Metric.update(droppedRequests, batch.requests.length),
          Effect.logError("Auth did not store requests in the request log")
        )
      })
      return Effect.repeat(sendOne, { while: (goesOn) => goesOn }).pipe(
        Effect.asVoid,
        Effect.catchTag("RequestLogRefused", () => drop),
        // While auth is away the batch waits.
        Effect.catchDefect((defect) => (isUnavailable(defect) ? Effect.void : drop)),
        Effect.withTracerEnabled(false)
      )
    })

    const bufferOf = yield* perCell(
      Effect.fnUntraced(function* (cell) {
        const buffer = new RequestBuffer(capacity)
        const flush = yield* makeFlush(cell, buffer)
        yield* Effect.addFinalizer(() => Effect.ignoreCause(Effect.timeoutOption(flush, "3 seconds")))
        yield* flush.pipe(Effect.repeat(Schedule.spaced("1 second")), Effect.interruptible, Effect.forkScoped)
        return buffer
      })
    )

    const log =
      ({ cell, identity, method, path, since }: OpenRequest, requestId: string) =>
      ({ headers, status }: HttpServerResponse.HttpServerResponse) => {
        if (!callers.partner.is(identity) || path === unlogged) return Effect.void
        const { apiKeyId, organizationId } = identity
        const buffer = bufferOf(cell)
        if (buffer.isFull(organizationId, since)) return Effect.void
        const isKept = buffer.add({
          organizationId,
          id: randomUUID(),
          at: new Date(since),
          method,
          path,
          status,
          durationMs: clock.currentTimeMillisUnsafe() - since,
          requestId,
          apiKeyId,
          errorCode: headers[errorCodeHeader] ?? null,
          version: headers["care-version"] ?? null
        })
        return isKept ? Effect.void : Metric.update(droppedRequests, 1)
      }

    return {
      logged: (request, answer) =>
        Effect.flatMap(RequestId, (requestId) => Effect.tap(answer, (response) => log(request(), requestId)(response)))
    }
  })
)
