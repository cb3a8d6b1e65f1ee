import { Data } from "effect"
import type { CallerLimits } from "../CallerLimits.ts"

/** The body is larger than its endpoint allows. */
export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<{ readonly maxBytes: number }> {}

/** The body was not complete in time, or came below the minimum rate. */
export class BodyTooSlow extends Data.TaggedError("BodyTooSlow") {}

/** No memory is free for another body, or the caller has used its share. */
export class BodyMemoryFull extends Data.TaggedError("BodyMemoryFull") {}

export type BodyRefused = BodyTooLarge | BodyTooSlow | BodyMemoryFull

export interface IncomingBody {
  /** When the gateway began to wait for the body, in milliseconds. */
  readonly since: number
  /** Bytes received so far. */
  readonly length: number
  /** False while the body is not read, because the service does not take it. */
  readonly isAwaited: boolean
  /** Fails the body as too slow. */
  readonly giveUp: () => void
}

/** Watches all bodies that are being received, so that none needs a timer. */
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

  /** Fails the bodies that exceed their time, or come too slowly. */
  sweep(now: number): void {
    for (const body of this.bodies) if (this.isTooSlow(body, now - body.since)) body.giveUp()
  }

  private isTooSlow({ isAwaited, length }: IncomingBody, millis: number): boolean {
    const { bytesPerSecond, graceMillis, requestMillis } = this.limits
    if (millis > requestMillis) return true
    return isAwaited && millis > graceMillis && length * 1000 < bytesPerSecond * millis
  }
}
