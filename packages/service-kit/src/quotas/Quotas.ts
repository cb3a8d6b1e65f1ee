import { QuotaReached, type StoredKind } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import type { ReachedQuota, ServiceUsage } from "@care/domain/usage"
import { Context, type Duration, Effect } from "effect"

export interface StoredRows {
  readonly kind: StoredKind
  readonly table: string
  /** The column of the time when a row was stored. One index begins with it, another one with the organization. */
  readonly since: string
  /** The column of a row's bytes, for a quota of bytes. */
  readonly bytes?: string
  /** Rows that are older do not count, although they may still be stored. */
  readonly age?: Duration.Duration
}

/** The amounts that organizations store in a service, and their quotas (docs/decisions/0052-rate-limits.md). */
export interface Quotas {
  /** Returns whether an organization has reached its quota of a kind, as of some seconds ago. */
  readonly isReached: (organizationId: OrganizationId, kind: StoredKind) => boolean
  readonly reached: Effect.Effect<ReadonlyArray<ReachedQuota>>
  readonly of: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<ServiceUsage>>
  /**
   * Makes the next step count an amount in full, because the usual count does not see rows that are stored with an old time, or
   * with that of a sandbox's clock, which is ahead.
   */
  readonly recountSoon: (organizationId: OrganizationId, kind: StoredKind) => Effect.Effect<void>
}

/** The quotas of a service. Without `layerQuotas` none is ever reached. */
export const Quotas = Context.Reference<Quotas>("@care/service-kit/quotas/Quotas", {
  defaultValue: () => ({
    isReached: () => false,
    reached: Effect.succeed([]),
    of: () => Effect.succeed([]),
    recountSoon: () => Effect.void
  })
})

/** Dies with `QuotaReached` if the quota of a kind is reached. Every endpoint answers that with 429. */
export const requireRoom = (quotas: Quotas, organizationId: OrganizationId, kind: StoredKind): Effect.Effect<void> =>
  quotas.isReached(organizationId, kind) ? Effect.die(new QuotaReached({ kind })) : Effect.void
