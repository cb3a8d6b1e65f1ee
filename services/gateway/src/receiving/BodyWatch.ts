import type { CallerLimits } from "../CallerLimits.ts"

export interface IncomingBody {
  /** When its first byte was waited for, in milliseconds. */
  readonly since: number
  /** Bytes so far. */
  readonly length: number
  /** False while nothing is read of it because the service does not take it up. */
  readonly isAwaited: boolean
  /** Ends the receiving: it took too long. */
  readonly giveUp: () => void
}

/** Looks after all bodies at once that are being received, so that none costs a timer. */
export class BodyWatch {
  private readonly bodies = new Set<IncomingBody>()
  private readonly limits: CallerLimits

  constructor(limits: CallerLimits) {
    this.limits = limits
  }

  add(body: IncomingBody): void {
    this.bodies.add(body)
  }

  delete(body: IncomingBody): void {
    this.bodies.delete(body)
  }

  /** Gives up the bodies that are over their time, or come too slowly. */
  sweep(now: number): void {
    for (const body of this.bodies) if (this.isTooSlow(body, now - body.since)) body.giveUp()
  }

  private isTooSlow({ isAwaited, length }: IncomingBody, millis: number): boolean {
    const { bytesPerSecond, graceMillis, requestMillis } = this.limits
    if (millis > requestMillis) return true
    return isAwaited && millis > graceMillis && length * 1000 < bytesPerSecond * millis
  }
}
