interface FairShareOptions {
  readonly capacity: number
  readonly limit?: number
  /** The share that this one is a part of. Each amount is taken from both. */
  readonly within?: FairShare
}

/**
 * Shares a scarce resource (connections, memory) so that no holder can take all of it. A holder may have at most as much as is free: one
 * holder gets half, two get a third each, and the same amount is left for the next.
 */
export class FairShare {
  private free: number
  private readonly limit: number
  private readonly within: FairShare | undefined
  private readonly amounts = new Map<string, number>()

  constructor({ capacity, limit = capacity, within }: FairShareOptions) {
    this.free = capacity
    this.limit = limit
    this.within = within
  }

  /** Takes an amount for a holder. Returns false if that is too much. */
  take(holder: string, amount = 1): boolean {
    const total = (this.amounts.get(holder) ?? 0) + amount
    if (total > this.limit || total > this.free) return false
    if (this.within !== undefined && !this.within.take(holder, amount)) return false
    this.amounts.set(holder, total)
    this.free -= amount
    return true
  }

  give(holder: string, amount = 1): void {
    const remaining = (this.amounts.get(holder) ?? 0) - amount
    if (remaining > 0) this.amounts.set(holder, remaining)
    else this.amounts.delete(holder)
    this.free += amount
    this.within?.give(holder, amount)
  }
}
