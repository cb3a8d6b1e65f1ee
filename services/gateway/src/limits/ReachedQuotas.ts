import type { StoredKind } from "@care/domain/http"
import { ownUsageApi } from "@care/domain/usage"
import { Context, Effect, Layer, Schedule } from "effect"
import { type Cell, Cells, peerOf } from "../cells/index.ts"

const every = "5 seconds"

const keyOf = (organizationId: string, kind: StoredKind): string => `${organizationId} ${kind}`

/**
 * The quotas of events and deliveries that organizations have reached. The service cases stores both, and operations of every
 * service add to them.
 */
interface ReachedQuotas {
  /** Returns the first of these kinds whose quota the organization has reached, as of some seconds ago. */
  readonly find: (organizationId: string, kinds: ReadonlyArray<StoredKind>) => StoredKind | undefined
}

export const ReachedQuotas = Context.Reference<ReachedQuotas>("@care/gateway/limits/ReachedQuotas", {
  defaultValue: () => ({ find: () => undefined })
})

/** Asks the service cases of every cell every few seconds. While one does not answer, its last answer is used. */
export const layerReachedQuotas = Layer.effect(
  ReachedQuotas,
  Effect.gen(function* () {
    const reachedByCell = new Map<string, ReadonlySet<string>>()

    const follow = Effect.fnUntraced(function* (cell: Cell) {
      const client = yield* peerOf(cell, ownUsageApi("cases"), "ownUsage")
      yield* client.reached().pipe(
        Effect.tap((reached) =>
          Effect.sync(() => {
            const keys = reached.map(({ kind, organizationId }) => keyOf(organizationId, kind))
            if (keys.length === 0) reachedByCell.delete(cell.name)
            else reachedByCell.set(cell.name, new Set(keys))
          })
        ),
        Effect.ignoreCause,
        Effect.withTracerEnabled(false),
        Effect.repeat(Schedule.spaced(every)),
        Effect.interruptible,
        Effect.forkScoped
      )
    })
    yield* Effect.forEach((yield* Cells).all, follow, { discard: true })

    return {
      find: (organizationId, kinds) => {
        if (reachedByCell.size === 0) return undefined
        const reached = [...reachedByCell.values()]
        return kinds.find((kind) => reached.some((keys) => keys.has(keyOf(organizationId, kind))))
      }
    }
  })
)
