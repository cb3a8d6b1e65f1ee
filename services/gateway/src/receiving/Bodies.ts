import type { IncomingMessage } from "node:http"
import type { Readable } from "node:stream"
import { FairShare } from "@care/service-kit"
import { Clock, Context, Effect, Layer, Schedule, Scope } from "effect"
import { GatewaySettings } from "../GatewaySettings.ts"
import type { LimitHolder } from "../limits/index.ts"
import { type BodyRefused, BodyTooLarge, BodyWatch } from "./BodyWatch.ts"
import { ReceivedBytes } from "./ReceivedBytes.ts"
import { StreamedBody } from "./StreamedBody.ts"
import { WholeBody } from "./WholeBody.ts"

const declaredLength = ({ headers }: IncomingMessage): number => Number(headers["content-length"] ?? 0)

const hasBody = (request: IncomingMessage): boolean =>
  declaredLength(request) > 0 || request.headers["transfer-encoding"] !== undefined

// Four sweeps in the shortest limit, and at least one a second.
const sweepMillis = (shortest: number) => Math.min(1000, Math.ceil(shortest / 4))

/** Receives the bodies of requests, within their limits of size, time and memory. */
export class Bodies extends Context.Service<
  Bodies,
  {
    /** Returns the whole body, which stays in memory until the scope closes; empty when there is none. */
    readonly receive: (
      request: IncomingMessage,
      options: { readonly maxBytes: number; readonly holder: LimitHolder }
    ) => Effect.Effect<Buffer, BodyRefused, Scope.Scope>
    /** Returns the body as a stream for the service; null when there is none. */
    readonly stream: (
      request: IncomingMessage,
      options: { readonly maxBytes: number }
    ) => Effect.Effect<Readable | null, BodyTooLarge>
  }
>()("@care/gateway/receiving/Bodies") {
  static readonly layer = Layer.effect(
    Bodies,
    Effect.gen(function* () {
      const { limits } = yield* GatewaySettings
      const clock = yield* Clock.Clock
      const memory = new FairShare({ capacity: limits.bodyMemoryBytes })
      // Half of the memory is left for authenticated callers.
      const unverifiedMemory = new FairShare({ capacity: limits.bodyMemoryBytes / 2, within: memory })
      const watch = new BodyWatch(limits)
      yield* Effect.sync(() => watch.sweep(clock.currentTimeMillisUnsafe())).pipe(
        Effect.repeat(Schedule.spaced(sweepMillis(Math.min(limits.graceMillis, limits.requestMillis)))),
        Effect.forkScoped
      )

      const refuseTooLarge = (request: IncomingMessage, maxBytes: number) => {
        // The body is read and dropped, so that a caller that is still sending gets the answer.
        request.resume()
        return new BodyTooLarge({ maxBytes })
      }

      const receiveInto = (request: IncomingMessage, received: ReceivedBytes, maxBytes: number) =>
        Effect.callback<Buffer, BodyRefused>((resume) => {
          const body = new WholeBody(request, received, {
            maxBytes,
            since: clock.currentTimeMillisUnsafe(),
            resume: (outcome) => {
              watch.delete(body)
              resume(outcome)
            }
          })
          watch.add(body)
          return Effect.sync(() => {
            watch.delete(body)
            body.stop()
          })
        })

      return Bodies.of({
        receive: (request, { holder, maxBytes }) => {
          if (!hasBody(request)) return Effect.succeed(Buffer.alloc(0))
          if (declaredLength(request) > maxBytes) return refuseTooLarge(request, maxBytes)
          return Effect.flatMap(Effect.scope, (scope) => {
            const received = new ReceivedBytes(holder.isVerified ? memory : unverifiedMemory, holder.name)
            const release = Effect.sync(() => received.release())
            return Effect.andThen(Scope.addFinalizer(scope, release), receiveInto(request, received, maxBytes))
          })
        },
        stream: (request, { maxBytes }) =>
          Effect.suspend(() => {
            if (!hasBody(request)) return Effect.succeed(null)
            if (declaredLength(request) > maxBytes) return refuseTooLarge(request, maxBytes)
            const body = new StreamedBody(request, maxBytes, clock.currentTimeMillisUnsafe())
            watch.add(body)
            return Effect.succeed(body.on("close", () => watch.delete(body)))
          })
      })
    })
  )
}
