import type { callers } from "@care/domain/http"

/** The partner that a key stands for. */
export type PartnerIdentity = typeof callers.partner.Identity.Type

/** Auth's last yes to a key, and until when it counts (milliseconds since 1970). */
export interface AcceptedKey {
  readonly identity: PartnerIdentity
  readonly until: number
}

/** The keys, by their hash, that auth said yes to not long ago, and no to never since. */
export class AcceptedKeys {
  private readonly keys = new Map<string, AcceptedKey>()
  private readonly capacity: number

  constructor(capacity: number) {
    this.capacity = capacity
  }

  /** Auth said yes. Beyond the capacity the yes that is oldest is forgotten. */
  accept(hash: string, key: AcceptedKey): void {
    this.keys.delete(hash)
    this.keys.set(hash, key)
    const [oldest] = this.keys.keys()
    if (this.keys.size > this.capacity && oldest !== undefined) this.keys.delete(oldest)
  }

  /** Auth said no. */
  refuse(hash: string): void {
    this.keys.delete(hash)
  }

  find(hash: string): AcceptedKey | undefined {
    return this.keys.get(hash)
  }
}
