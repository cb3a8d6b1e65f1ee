import { Schema } from "effect"

/** An event that has to be told. */
export interface Delivery {
  readonly event: string
  readonly attempts: number
  /** When it happened, in milliseconds. */
  readonly since: number
  /** When it is tried next, in milliseconds. */
  readonly due: number
}

/** Who is told of events, and the secret that signs what they are told. */
export interface Webhook {
  readonly url: string
  readonly secret: string
}

/** What there is to tell, as a stand-in keeps it. */
export interface Outbox {
  /** How long after an event it is told again, in milliseconds. */
  readonly givenUpMillis: number
  /** Those that wait to be told, in the order in which they happened. */
  readonly waiting: () => ReadonlyArray<Delivery>
  readonly keep: (delivery: Delivery) => void
  /** It is not to be told any more: it was heard, or is given up. */
  readonly end: (event: string, isHeard: boolean) => void
  /** Tells of an event: the status that it is answered with. */
  readonly post: (event: string, signal: AbortSignal) => Promise<number>
}

/** How events are told: none while `isHeld`; else after a while, in reversed order, several times. */
export const Telling = Schema.Struct({
  isHeld: Schema.optionalKey(Schema.Boolean),
  delayMillis: Schema.optionalKey(Schema.Int),
  isReversed: Schema.optionalKey(Schema.Boolean),
  copies: Schema.optionalKey(Schema.Int)
})

const firstWaitMillis = 200
const longestWaitMillis = 30_000
const answerMillis = 10_000

const isHeard = (status: number): boolean => status >= 200 && status < 300

/** Tells of events, one after the other, until each is answered with a 2xx; those that are not later and later again. */
export class Deliveries {
  private telling: typeof Telling.Type = {}
  private isRunning = false
  private timer: NodeJS.Timeout | undefined
  private readonly closing = new AbortController()
  private readonly outbox: Outbox
  private readonly now: () => number

  constructor(outbox: Outbox, now: () => number) {
    this.outbox = outbox
    this.now = now
  }

  tell(telling: typeof Telling.Type): void {
    this.telling = telling
    this.wake()
  }

  /** Those that wait to be told, in the order in which they happened. */
  waiting(): ReadonlyArray<Delivery> {
    return this.outbox.waiting()
  }

  /** Looks what is to be told now. */
  wake(): void {
    if (!this.isRunning && !this.closing.signal.aborted) void this.run()
  }

  close(): void {
    clearTimeout(this.timer)
    this.closing.abort()
  }

  /** Tells of an event now: the status that it is answered with, 0 when there is no answer. */
  async send(event: string): Promise<number> {
    const signal = AbortSignal.any([this.closing.signal, AbortSignal.timeout(answerMillis)])
    const status = await this.outbox.post(event, signal).catch(() => 0)
    if (isHeard(status)) this.outbox.end(event, true)
    return status
  }

  private dueOf({ attempts, due }: Delivery): number {
    return attempts === 0 ? due + (this.telling.delayMillis ?? 0) : due
  }

  private next(): Delivery | undefined {
    if (this.telling.isHeld === true) return undefined
    const due = this.waiting().filter((one) => this.dueOf(one) <= this.now())
    return this.telling.isReversed === true ? due.at(-1) : due[0]
  }

  private async run(): Promise<void> {
    this.isRunning = true
    clearTimeout(this.timer)
    for (let next = this.next(); next !== undefined && !this.closing.signal.aborted; next = this.next()) {
      await this.deliver(next)
    }
    this.isRunning = false
    if (this.telling.isHeld === true || this.closing.signal.aborted) return
    const soonest = Math.min(...this.waiting().map((one) => this.dueOf(one)))
    if (!Number.isFinite(soonest)) return
    this.timer = setTimeout(() => this.wake(), Math.min(Math.max(soonest - this.now(), 1), longestWaitMillis)).unref()
  }

  private async deliver({ attempts, event, since }: Delivery): Promise<void> {
    let status = 0
    for (let copy = 0; copy < (this.telling.copies ?? 1); copy += 1) status = await this.send(event)
    if (isHeard(status) || this.closing.signal.aborted) return
    const wait = Math.min(firstWaitMillis * 2 ** attempts, longestWaitMillis)
    if (since + this.outbox.givenUpMillis < this.now()) this.outbox.end(event, false)
    else this.outbox.keep({ event, since, attempts: attempts + 1, due: this.now() + wait })
  }
}
