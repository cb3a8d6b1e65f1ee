import type { StoredKind } from "@care/domain/http"
import { ownUsageApi } from "@care/domain/usage"
import { peer } from "@care/service-kit"
import { Context, Effect, Layer, Schedule } from "effect"

const every = "5 seconds"

const keyOf = (organizationId: string, kind: StoredKind): string => `${organizationId} ${kind}`

/**
 * The quotas of events and deliveries that organizations have reached. Cases stores both, and operations of every
 * service add to them.
 */
interface ReachedQuotas {
  /** Returns the first of these kinds whose quota the organization has reached, as of some seconds ago. */
  readonly find: (organizationId: string, kinds: ReadonlyArray<StoredKind>) => StoredKind | undefined
}

export const ReachedQuotas = Context.Reference<ReachedQuotas>("@care/gateway/limits/ReachedQuotas", {
  defaultValue: () => ({ find: () => undefined })
})

/** Asks cases every few seconds. While cases does not answer, its last answer is used. */
export const layerReachedQuotas = Layer.effect(
  ReachedQuotas,
  Effect.gen(function* () {
    const client = yield* peer(ownUsageApi("cases"), "ownUsage")
    let reachedKeys: ReadonlySet<string> = new Set()

    yield* client.reached().pipe(
      Effect.tap((reached) =>
        Effect.sync(() => {
          reachedKeys = new Set(reached.map(({ kind, organizationId }) => keyOf(organizationId, kind)))
        })
      ),
      Effect.ignoreCause,
      Effect.withTracerEnabled(false),
      Effect.repeat(Schedule.spaced(every)),
      Effect.interruptible,
      Effect.forkScoped
    )

    return {
      find: (organizationId, kinds) =>
        reachedKeys.size === 0 ? undefined : kinds.find((kind) => reachedKeys.has(keyOf(organizationId, kind)))
    }
  })
)
