/** An accepted key or session, and until when auth's answer is valid (milliseconds since 1970). */
export interface Accepted<Found> {
  readonly found: Found
  readonly until: number
}

/** What auth accepted lately, by its name, without what it has refused since. */
export class AcceptedKeys<Found> {
  private readonly keys = new Map<string, Accepted<Found>>()
  private readonly capacity: number

  constructor(capacity: number) {
    this.capacity = capacity
  }

  /** Stores what auth accepted. Beyond the capacity the one that was accepted first is removed. */
  accept(name: string, accepted: Accepted<Found>): void {
    this.keys.delete(name)
    this.keys.set(name, accepted)
    const [oldest] = this.keys.keys()
    if (this.keys.size > this.capacity && oldest !== undefined) this.keys.delete(oldest)
  }

  /** Removes what auth refused. */
  refuse(name: string): void {
    this.keys.delete(name)
  }

  find(name: string): Accepted<Found> | undefined {
    return this.keys.get(name)
  }
}
