import { Schema } from "effect"
import type { Books } from "./Books.ts"
import type { StripeEvent } from "./StripeEvent.ts"
import { sendEvent, type Webhook } from "./sendEvent.ts"

/** An event that has to be told. */
export interface Delivery {
  readonly event: string
  readonly attempts: number
  /** When it is tried next, in milliseconds. */
  readonly due: number
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
const givenUpMillis = 3 * 24 * 3600 * 1000

const isHeard = (status: number): boolean => status >= 200 && status < 300

/** Tells of events, one after the other, until each is answered with a 2xx; those that are not later and later again. */
export class Deliveries {
  private telling: typeof Telling.Type = {}
  private isRunning = false
  private timer: NodeJS.Timeout | undefined
  private readonly closing = new AbortController()
  private readonly books: Books
  private readonly webhook: Webhook | undefined
  private readonly now: () => number

  constructor(books: Books, webhook: Webhook | undefined, now: () => number) {
    this.books = books
    this.webhook = webhook
    this.now = now
  }

  tell(telling: typeof Telling.Type): void {
    this.telling = telling
    this.wake()
  }

  /** Those that wait to be told, in the order in which they happened. */
  waiting(): ReadonlyArray<Delivery> {
    return [...this.books.all("delivery")].reverse()
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
  async send(event: StripeEvent): Promise<number> {
    if (this.webhook === undefined) return 0
    const status = await sendEvent(this.webhook, event, this.now(), this.closing.signal).catch(() => 0)
    if (isHeard(status)) {
      this.books.transact(() => {
        this.books.put("event", event.id, { ...event, pending_webhooks: 0 })
        this.books.remove("delivery", event.id)
      })
    }
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

  private async deliver({ attempts, event: id }: Delivery): Promise<void> {
    const event = this.books.get("event", id)
    let status = 0
    for (let copy = 0; event !== undefined && copy < (this.telling.copies ?? 1); copy += 1)
      status = await this.send(event)
    if (isHeard(status) || this.closing.signal.aborted) return
    const wait = Math.min(firstWaitMillis * 2 ** attempts, longestWaitMillis)
    this.books.transact(() => {
      if (event === undefined || event.created * 1000 + givenUpMillis < this.now()) this.books.remove("delivery", id)
      else this.books.put("delivery", id, { event: id, attempts: attempts + 1, due: this.now() + wait })
    })
  }
}
