import { peers, type ServiceName } from "@care/domain/peers"
import { Context, DateTime, Effect, Layer, Record } from "effect"
import { Cells, makeIsReady } from "../../cells/index.ts"

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
}

const parts: Readonly<Record<ServiceName, string>> = {
  auth: "API keys and sign-in",
  cases: "Cases, orders and webhooks",
  payments: "Payments",
  scheduling: "Calendar and appointments"
}

const stateOf = (isReady: ReadonlyArray<boolean>): State =>
  isReady.every(Boolean) ? "UP" : isReady.some(Boolean) ? "PARTLY" : "DOWN"

const overall = (components: ReadonlyArray<Component>): State =>
  components.every(({ status }) => status === "UP")
    ? "UP"
    : components.every(({ status }) => status === "DOWN")
      ? "DOWN"
      : "PARTLY"

// Anybody may ask, so services are asked this often at most.
const timeToLive = "5 seconds"

/** The state of the platform in a partner's words. */
export class PlatformStatus extends Context.Service<PlatformStatus, { readonly now: Effect.Effect<Status> }>()(
  "@care/gateway/status/PlatformStatus"
) {
  static readonly layer = Layer.effect(
    PlatformStatus,
    Effect.gen(function* () {
      const { all } = yield* Cells
      const isReady = yield* makeIsReady
      const componentOf = Effect.fnUntraced(function* (service: ServiceName) {
        const answers = yield* Effect.forEach(all, (cell) => isReady(cell, service), { concurrency: "unbounded" })
        return { name: parts[service], status: stateOf(answers) }
      })
      const check = Effect.gen(function* () {
        const components = yield* Effect.forEach(Record.keys(peers), componentOf, { concurrency: "unbounded" })
        return { status: overall(components), checkedAt: yield* DateTime.nowAsDate, components }
      })
      return PlatformStatus.of({ now: yield* Effect.cachedWithTTL(check, timeToLive) })
    })
  )
}
