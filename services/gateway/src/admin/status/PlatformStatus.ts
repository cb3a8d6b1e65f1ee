import { AuthApi, type Incident } from "@care/domain/auth"
import { peers, type ServiceName } from "@care/domain/peers"
import { Context, DateTime, Effect, Layer, Record } from "effect"
import { Cells, makeIsReady, peerOf } from "../../cells/index.ts"

/** `PARTLY`: not for every organization. */
export type State = "UP" | "PARTLY" | "DOWN"

interface Component {
  readonly name: string
  readonly status: State
}

/** What partners may use now. */
export interface Status {
  readonly status: State
  readonly checkedAt: Date
  readonly components: ReadonlyArray<Component>
  /** Those of the last 90 days, the newest first; null while they cannot be read. */
  readonly incidents: ReadonlyArray<Incident> | null
}

const parts: Readonly<Record<ServiceName, string>> = {
  auth: "API keys and sign-in",
  cases: "Cases, orders and webhooks",
  payments: "Payments",
  scheduling: "Calendar and appointments"
}

const stateOf = (isReady: ReadonlyArray<boolean>): State =>
  isReady.every(Boolean) ? "UP" : isReady.some(Boolean) ? "PARTLY" : "DOWN"

// Operators know of more than whether services answer.
const overall = (components: ReadonlyArray<Component>, incidents: ReadonlyArray<Incident> | null): State =>
  components.every(({ status }) => status === "UP") && !incidents?.some(({ resolvedAt }) => resolvedAt === null)
    ? "UP"
    : components.every(({ status }) => status === "DOWN")
      ? "DOWN"
      : "PARTLY"

/** How many days the page shows. */
export const shownDays = 90

// Anybody may ask, so services are asked this often at most.
const timeToLive = "5 seconds"

// The page does not wait for an auth that does not answer.
const answerMillis = 750

/** The state of the platform in a partner's words. */
export class PlatformStatus extends Context.Service<PlatformStatus, { readonly now: Effect.Effect<Status> }>()(
  "@care/gateway/status/PlatformStatus"
) {
  static readonly layer = Layer.effect(
    PlatformStatus,
    Effect.gen(function* () {
      const { all, first } = yield* Cells
      const isReady = yield* makeIsReady
      const auth = yield* peerOf(first, AuthApi, "directory")
      const incidentsSince = (time: Date) =>
        auth.incidents().pipe(
          Effect.timeout(answerMillis),
          Effect.map((incidents) => incidents.filter(({ resolvedAt }) => resolvedAt === null || resolvedAt >= time)),
          Effect.catchCause(() => Effect.succeed(null))
        )
      const componentOf = Effect.fnUntraced(function* (service: ServiceName) {
        const answers = yield* Effect.forEach(all, (cell) => isReady(cell, service), { concurrency: "unbounded" })
        return { name: parts[service], status: stateOf(answers) }
      })
      const check = Effect.gen(function* () {
        const components = yield* Effect.forEach(Record.keys(peers), componentOf, { concurrency: "unbounded" })
        const now = yield* DateTime.now
        const incidents = yield* incidentsSince(DateTime.toDateUtc(DateTime.subtract(now, { days: shownDays })))
        return { status: overall(components, incidents), checkedAt: DateTime.toDateUtc(now), components, incidents }
      })
      return PlatformStatus.of({ now: yield* Effect.cachedWithTTL(check, timeToLive) })
    })
  )
}
