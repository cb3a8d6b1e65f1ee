import type { OrganizationId } from "@care/domain/ids"
import type { DeliveryLimits } from "./DeliveryLimits.ts"
import type { ClaimedQueue, Share } from "./DeliveryQueuesRepo.ts"

/** The place of an endpoint among those that are sent to. */
export interface Place {
  readonly isSlow: () => boolean
  /** Counts among the slow ones from now on, if there is room for it: its own place is free then. */
  readonly becomeSlow: () => void
  readonly leave: () => void
}

/**
 * The places of a process: those of endpoints by how they did before, so that none of them takes those of the others, and
 * the attempts of each organization. `freed` is told when there is room again that somebody may wait for.
 */
export const makePlaces = (limits: DeliveryLimits, freed: () => void) => {
  const free: Record<Share, number> = { ...limits.endpoints }
  let freeSlow = limits.slowEndpoints
  const attempts = new Map<OrganizationId, number>()
  const underWay = (id: OrganizationId) => attempts.get(id) ?? 0

  return {
    free: (): Readonly<Record<Share, number>> => ({ ...free }),

    enter: ({ share }: ClaimedQueue): Place => {
      free[share] -= 1
      let isSlow = false
      return {
        isSlow: () => isSlow,
        becomeSlow: () => {
          if (isSlow || share === "FAILING" || freeSlow === 0) return
          isSlow = true
          freeSlow -= 1
          free[share] += 1
          freed()
        },
        leave: () => {
          if (isSlow) freeSlow += 1
          else free[share] += 1
          freed()
        }
      }
    },

    /** How many more attempts the organization may have under way. */
    roomOf: (id: OrganizationId) => limits.ofOrganization - underWay(id),

    beginAttempt: (id: OrganizationId) => {
      attempts.set(id, underWay(id) + 1)
    },

    endAttempt: (id: OrganizationId) => {
      const before = underWay(id)
      if (before > 1) attempts.set(id, before - 1)
      else attempts.delete(id)
      if (before === limits.ofOrganization) freed()
    },

    /** The organizations that have as many attempts under way as they may. */
    full: () => [...attempts].flatMap(([id, count]) => (count < limits.ofOrganization ? [] : [id]))
  }
}

export type Places = ReturnType<typeof makePlaces>
