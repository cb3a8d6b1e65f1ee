interface FairShareOptions {
  readonly capacity: number
  /** The most that one holder may have, however much is free. */
  readonly limit?: number
  /** What it is a part of: what is taken is taken of that, too. */
  readonly within?: FairShare
}

/**
 * Shares something scarce (connections, memory) so that no holder can take it all: nobody gets more than what is free
 * before, so one alone gets half, two a third each, and as much is always left for whoever comes next.
 */
export class FairShare {
  private free: number
  private readonly limit: number
  private readonly within: FairShare | undefined
  private readonly held = new Map<string, number>()

  constructor({ capacity, limit = capacity, within }: FairShareOptions) {
    this.free = capacity
    this.limit = limit
    this.within = within
  }

  /** Takes an amount for a holder, or says that it would be too much. */
  take(holder: string, amount = 1): boolean {
    const wanted = (this.held.get(holder) ?? 0) + amount
    if (wanted > this.limit || wanted > this.free) return false
    if (this.within !== undefined && !this.within.take(holder, amount)) return false
    this.held.set(holder, wanted)
    this.free -= amount
    return true
  }

  give(holder: string, amount = 1): void {
    const left = (this.held.get(holder) ?? 0) - amount
    if (left > 0) this.held.set(holder, left)
    else this.held.delete(holder)
    this.free += amount
    this.within?.give(holder, amount)
  }
}
