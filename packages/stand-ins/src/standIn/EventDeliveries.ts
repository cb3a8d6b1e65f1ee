import { Schema } from "effect"
import type { StandInLedger } from "./StandInLedger.ts"

/** An event that has to be delivered. */
export interface EventDelivery {
  readonly event: string
  readonly attempts: number
  /** When the event happened, in milliseconds. */
  readonly since: number
  /** When the next attempt is due, in milliseconds. */
  readonly due: number
}

/** The receiver of events, and the secret that signs them. */
export interface Webhook {
  readonly url: string
  readonly secret: string
}

interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How one stand-in delivers its events. */
export interface Channel {
  /** How long after an event its delivery is given up, in milliseconds. */
  readonly givenUpMillis: number
  /** Returns the signed messages about an event, one for each receiver. */
  readonly messagesOf: (event: string) => Promise<ReadonlyArray<Message>>
  /** Notes the outcome of an attempt, in the transaction that stores it. */
  readonly note: (event: string, outcome: "delivered" | "failed" | "given up") => void
}

type DeliveryLedger = Pick<
  StandInLedger<{ readonly delivery: EventDelivery }>,
  "all" | "get" | "put" | "remove" | "transact"
>

/** How events are delivered: not at all while `isHeld`, else after a delay, in reversed order, several times. */
export const DeliveryMode = Schema.Struct({
  isHeld: Schema.optionalKey(Schema.Boolean),
  delayMillis: Schema.optionalKey(Schema.Int),
  isReversed: Schema.optionalKey(Schema.Boolean),
  copies: Schema.optionalKey(Schema.Int)
})
export type DeliveryMode = typeof DeliveryMode.Type

const firstWaitMillis = 200
const longestWaitMillis = 30_000
const answerMillis = 10_000

/** Posts a message, and returns the status of the answer. */
export const post = async ({ url, ...message }: Message, signal?: AbortSignal): Promise<number> => {
  const answer = await fetch(url, { method: "POST", redirect: "manual", ...message, ...(signal && { signal }) })
  await answer.arrayBuffer()
  return answer.status
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/**
 * Delivers events one after the other until each is answered with a 2xx by all its receivers, with growing waits between the attempts. All
 * receivers get each attempt.
 */
export class EventDeliveries {
  private mode: DeliveryMode = {}
  private isRunning = false
  private timer: NodeJS.Timeout | undefined
  private readonly closing = new AbortController()
  private readonly ledger: DeliveryLedger
  private readonly channel: Channel
  private readonly now: () => number

  constructor(ledger: DeliveryLedger, channel: Channel, now: () => number) {
    this.ledger = ledger
    this.channel = channel
    this.now = now
  }

  setMode(mode: DeliveryMode): void {
    this.mode = mode
    this.wake()
  }

  /** Returns the deliveries that wait, in the order of their events. */
  waiting(): ReadonlyArray<EventDelivery> {
    return this.ledger.all("delivery").toReversed()
  }

  /** Looks for deliveries that are due. */
  wake(): void {
    if (!this.isRunning && !this.closing.signal.aborted) void this.run()
  }

  close(): void {
    clearTimeout(this.timer)
    this.closing.abort()
  }

  /** Delivers an event now, and returns the status of the answer, or 0 without one. Of several answers it is the first failure. */
  async send(event: string): Promise<number> {
    const signal = AbortSignal.any([this.closing.signal, AbortSignal.timeout(answerMillis)])
    const statuses = await this.channel
      .messagesOf(event)
      .then((messages) => Promise.all(messages.map((message) => post(message, signal).catch(() => 0))))
      .catch(() => [0])
    const status = statuses.find((each) => !isSuccess(each)) ?? statuses[0] ?? 0
    if (isSuccess(status)) this.end(event, "delivered")
    return status
  }

  private end(event: string, outcome: "delivered" | "given up"): void {
    this.ledger.transact(() => {
      this.ledger.remove("delivery", event)
      this.channel.note(event, outcome)
    })
  }

  private dueOf({ attempts, due }: EventDelivery): number {
    return attempts === 0 ? due + (this.mode.delayMillis ?? 0) : due
  }

  private next(): EventDelivery | undefined {
    if (this.mode.isHeld === true) return undefined
    const due = this.waiting().filter((delivery) => this.dueOf(delivery) <= this.now())
    return this.mode.isReversed === true ? due.at(-1) : due[0]
  }

  private async run(): Promise<void> {
    this.isRunning = true
    clearTimeout(this.timer)
    for (let next = this.next(); next !== undefined && !this.closing.signal.aborted; next = this.next()) {
      await this.deliver(next)
    }
    this.isRunning = false
    if (this.mode.isHeld === true || this.closing.signal.aborted) return
    const soonest = Math.min(...this.waiting().map((delivery) => this.dueOf(delivery)))
    if (!Number.isFinite(soonest)) return
    this.timer = setTimeout(() => this.wake(), Math.min(Math.max(soonest - this.now(), 1), longestWaitMillis)).unref()
  }

  private async deliver({ attempts, event, since }: EventDelivery): Promise<void> {
    let status = 0
    for (let copy = 0; copy < (this.mode.copies ?? 1); copy += 1) status = await this.send(event)
    if (isSuccess(status) || this.closing.signal.aborted) return
    if (since + this.channel.givenUpMillis < this.now()) return this.end(event, "given up")
    const due = this.now() + Math.min(firstWaitMillis * 2 ** attempts, longestWaitMillis)
    this.ledger.transact(() => {
      // The delivery may have been removed during the attempt.
      if (this.ledger.get("delivery", event) === undefined) return
      this.ledger.put("delivery", event, { event, since, attempts: attempts + 1, due })
      this.channel.note(event, "failed")
    })
  }
}
