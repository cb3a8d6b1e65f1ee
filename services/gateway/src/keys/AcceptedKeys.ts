import type { callers } from "@care/domain/http"

/** The identity of the partner that a key belongs to. */
export type PartnerIdentity = typeof callers.partner.Identity.Type

/** An accepted key, and until when auth's answer is valid (milliseconds since 1970). */
export interface AcceptedKey {
  readonly identity: PartnerIdentity
  /** The cell to which the partner moved. */
  readonly movedTo: string | undefined
  readonly until: number
}

/** The keys that auth accepted lately, by their hash, without those that it has refused since. */
export class AcceptedKeys {
  private readonly keys = new Map<string, AcceptedKey>()
  private readonly capacity: number

  constructor(capacity: number) {
    this.capacity = capacity
  }

  /** Stores a key that auth accepted. Beyond the capacity the key that was accepted first is removed. */
  accept(hash: string, key: AcceptedKey): void {
    this.keys.delete(hash)
    this.keys.set(hash, key)
    const [oldest] = this.keys.keys()
    if (this.keys.size > this.capacity && oldest !== undefined) this.keys.delete(oldest)
  }

  /** Removes a key that auth refused. */
  refuse(hash: string): void {
    this.keys.delete(hash)
  }

  find(hash: string): AcceptedKey | undefined {
    return this.keys.get(hash)
  }
}
