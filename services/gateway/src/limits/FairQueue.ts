import type { FairShare } from "@care/service-kit"

/** The slots that a request may get, and the places in the queue for them. */
export interface QueueSlots {
  readonly share: FairShare
  readonly room: FairShare
}

/** A request that waits for a slot. */
export interface Waiter extends QueueSlots {
  readonly holder: string
  hasSlot: boolean
  /** Runs when the request gets its slot. */
  onSlot: () => void
}

/**
 * A fair queue for slots. The requests of one holder get slots in their order; between holders that wait, slots go
 * round.
 */
export class FairQueue {
  // The holder whose turn is next comes first. A holder without waiting requests is not in it.
  readonly #waiting = new Map<string, Set<Waiter>>()

  /** Takes a slot, unless none is free or earlier requests of the holder wait. */
  take({ share }: QueueSlots, holder: string): boolean {
    return !this.#waiting.has(holder) && share.take(holder)
  }

  /** Joins the queue, or returns undefined when it is full. */
  wait({ room, share }: QueueSlots, holder: string): Waiter | undefined {
    if (!room.take(holder)) return undefined
    const waiter: Waiter = { share, room, holder, hasSlot: false, onSlot: () => {} }
    const waiters = this.#waiting.get(holder)
    if (waiters === undefined) this.#waiting.set(holder, new Set([waiter]))
    else waiters.add(waiter)
    return waiter
  }

  give({ share }: QueueSlots, holder: string): void {
    share.give(holder)
    if (this.#waiting.size > 0) this.#handOut()
  }

  /** Leaves the queue, or releases the slot that the request got. */
  leave(waiter: Waiter): void {
    if (waiter.hasSlot) {
      waiter.hasSlot = false
      this.give(waiter, waiter.holder)
    } else if (this.#remove(waiter)) {
      waiter.room.give(waiter.holder)
    }
  }

  // A holder that gets a slot moves to the end of the map, which this iteration reaches again.
  #handOut(): void {
    for (const [holder, waiters] of this.#waiting) {
      const [next] = waiters
      if (next === undefined || !next.share.take(holder)) continue
      this.#remove(next)
      next.room.give(holder)
      if (waiters.size > 0) {
        this.#waiting.delete(holder)
        this.#waiting.set(holder, waiters)
      }
      next.hasSlot = true
      next.onSlot()
    }
  }

  #remove(waiter: Waiter): boolean {
    const waiters = this.#waiting.get(waiter.holder)
    if (waiters?.delete(waiter) !== true) return false
    if (waiters.size === 0) this.#waiting.delete(waiter.holder)
    return true
  }
}
