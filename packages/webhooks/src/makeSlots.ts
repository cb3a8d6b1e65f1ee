import type { DispatchLimits } from "./DispatchLimits.ts"
import type { Share } from "./Health.ts"

/** The slot of an endpoint that is sent to. */
export interface Slot {
  /** Whether others may be waiting for a slot of this share. */
  readonly isAwaited: () => boolean
  readonly isSlow: () => boolean
  /** Gives the slot to others who wait for it, and takes one of the slow endpoints, if one is free. */
  readonly yieldSlot: () => void
  readonly releaseSlot: () => void
}

/**
 * Counts the slots of a process: those of endpoints by share, so that no share takes the slots of another, and the attempts of
 * each organization. Calls `freed` when a slot or an attempt becomes free.
 */
export const makeSlots = <OrganizationId extends string>(limits: DispatchLimits, freed: () => void) => {
  const free: Record<Share, number> = { ...limits.endpoints }
  let freeSlow = limits.slowEndpoints
  const awaited = new Set<Share>()
  const attempts = new Map<OrganizationId, number>()
  const underWay = (organizationId: OrganizationId) => attempts.get(organizationId) ?? 0

  return {
    free: (): Readonly<Record<Share, number>> => ({ ...free }),

    /** Notes how many endpoints were requested and found. If as many were found, more may be waiting for slots of the share. */
    noteFound: (share: Share, requested: number, found: number) => {
      if (found === requested) awaited.add(share)
      else awaited.delete(share)
    },

    isAwaited: (share: Share) => awaited.has(share),

    take: (share: Share): Slot => {
      free[share] -= 1
      let isSlow = false
      return {
        isAwaited: () => awaited.has(share),
        isSlow: () => isSlow,
        yieldSlot: () => {
          if (isSlow || share === "FAILING" || freeSlow === 0 || !awaited.has(share)) return
          isSlow = true
          freeSlow -= 1
          free[share] += 1
          freed()
        },
        releaseSlot: () => {
          if (isSlow) freeSlow += 1
          else free[share] += 1
          freed()
        }
      }
    },

    /** Returns how many more attempts the organization may have under way. */
    roomOf: (organizationId: OrganizationId) => limits.ofOrganization - underWay(organizationId),

    beginAttempt: (organizationId: OrganizationId) => {
      attempts.set(organizationId, underWay(organizationId) + 1)
    },

    endAttempt: (organizationId: OrganizationId) => {
      const before = underWay(organizationId)
      if (before > 1) attempts.set(organizationId, before - 1)
      else attempts.delete(organizationId)
      if (before === limits.ofOrganization) freed()
    },

    /** The organizations that have as many attempts under way as they may. */
    full: () => [...attempts].flatMap(([id, count]) => (count < limits.ofOrganization ? [] : [id]))
  }
}
export type Slots<OrganizationId extends string> = ReturnType<typeof makeSlots<OrganizationId>>
