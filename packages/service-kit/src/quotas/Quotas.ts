import { QuotaReached, type StoredKind } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import type { ReachedQuota, ServiceUsage } from "@care/domain/usage"
import { Context, Effect } from "effect"

/** What organizations store in a service, and whether they may store more (docs/decisions/0052-rate-limits.md). */
export interface Quotas {
  /** Whether an organization stores as much of a kind as it may, as of some seconds ago. */
  readonly isReached: (organizationId: OrganizationId, kind: StoredKind) => boolean
  /** All of them that are reached. */
  readonly reached: Effect.Effect<ReadonlyArray<ReachedQuota>>
  readonly of: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<ServiceUsage>>
  /**
   * Has what an organization stores of a kind counted whole soon, inside the caller's transaction if there is one: for rows
   * that come with a time that has passed.
   */
  readonly recountSoon: (organizationId: OrganizationId, kind: StoredKind) => Effect.Effect<void>
}

/** Without `layerQuotas` nothing is counted, and anything may be stored. */
export const Quotas = Context.Reference<Quotas>("@care/service-kit/quotas/Quotas", {
  defaultValue: () => ({
    isReached: () => false,
    reached: Effect.succeed([]),
    of: () => Effect.succeed([]),
    recountSoon: () => Effect.void
  })
})

/** For who is about to store more of a kind for a partner: dies with `QuotaReached`, which every endpoint answers with 429. */
export const requireRoom = (quotas: Quotas, organizationId: OrganizationId, kind: StoredKind): Effect.Effect<void> =>
  quotas.isReached(organizationId, kind) ? Effect.die(new QuotaReached({ kind })) : Effect.void
