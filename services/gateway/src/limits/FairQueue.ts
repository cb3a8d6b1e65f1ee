import type { FairShare } from "@care/service-kit"

/** The slots that a request may get, and the room for those that wait for one, of one holder and of all. */
export interface Slots {
  readonly share: FairShare
  readonly room: FairShare
}

/** A request that waits for a slot. */
export interface Waiter extends Slots {
  readonly holder: string
  hasSlot: boolean
  /** Runs when it gets its slot. */
  onSlot: () => void
}

/**
 * The slots of shares, and the queue of those for whom there is none. A holder's requests get theirs in the order in which they came;
 * between holders who wait, slots go round.
 */
export class FairQueue {
  // The next holder first. Who waits for nothing is not in it.
  readonly #waiting = new Map<string, Set<Waiter>>()

  /** Takes a slot, unless there is none or the holder's earlier requests wait. */
  take({ share }: Slots, holder: string): boolean {
    return !this.#waiting.has(holder) && share.take(holder)
  }

  /** Begins to wait for a slot; undefined when there is no room to wait. */
  wait({ room, share }: Slots, holder: string): Waiter | undefined {
    if (!room.take(holder)) return undefined
    const waiter: Waiter = { share, room, holder, hasSlot: false, onSlot: () => {} }
    const waiters = this.#waiting.get(holder)
    if (waiters === undefined) this.#waiting.set(holder, new Set([waiter]))
    else waiters.add(waiter)
    return waiter
  }

  give({ share }: Slots, holder: string): void {
    share.give(holder)
    if (this.#waiting.size > 0) this.#handOut()
  }

  /** Ends the wait, or gives the slot back that was waited for. */
  leave(waiter: Waiter): void {
    if (waiter.hasSlot) {
      waiter.hasSlot = false
      this.give(waiter, waiter.holder)
    } else if (this.#remove(waiter)) {
      waiter.room.give(waiter.holder)
    }
  }

  // A holder who gets one goes to the end, where this comes by again.
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
