import { setTimeout as wait } from "node:timers/promises"
import { Schema } from "effect"
import type { StandInLedger } from "./StandInLedger.ts"

/** An event that has to be delivered to a receiver. */
export interface EventDelivery {
  readonly event: string
  readonly receiver: string
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
  /** Returns the receivers of an event. */
  readonly receiversOf: (event: string) => ReadonlyArray<string>
  /** Returns the signed message about an event for a receiver. */
  readonly messageTo: (receiver: string, event: string) => Promise<Message>
  /** Notes the outcome of an attempt, in the transaction that stores it. */
  readonly note: (event: string, outcome: "delivered" | "failed" | "given up") => void
}

type DeliveryLedger = Pick<
  StandInLedger<{ readonly delivery: EventDelivery }>,
  "get" | "put" | "remove" | "removeWhere" | "rows" | "transact"
>

const keyOf = ({ event, receiver }: Pick<EventDelivery, "event" | "receiver">): string => `${event} ${receiver}`

/** Stores that an event of this moment has to be delivered. */
export const addDelivery = (
  ledger: Pick<DeliveryLedger, "put">,
  event: string,
  receiver: string,
  since: number
): void => {
  const delivery = { event, receiver, attempts: 0, since, due: since }
  ledger.put("delivery", keyOf(delivery), delivery)
}

/** Drops the deliveries that wait for a receiver. */
export const dropDeliveries = (ledger: Pick<DeliveryLedger, "removeWhere">, dropped: string): void =>
  ledger.removeWhere("delivery", ({ receiver }) => receiver === dropped)

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
const storeMillis = 1000

/** Posts a message, and returns the status of the answer. */
export const post = async ({ url, ...message }: Message, signal?: AbortSignal): Promise<number> => {
  const answer = await fetch(url, { method: "POST", redirect: "manual", ...message, ...(signal && { signal }) })
  await answer.arrayBuffer()
  return answer.status
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/**
 * Delivers to each receiver its events one after the other, until each is answered with a 2xx, with growing waits between the attempts.
 * Receivers do not wait for each other.
 */
export class EventDeliveries {
  private mode: DeliveryMode = {}
  private readonly running = new Set<string>()
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
    return [...this.ledger.rows("delivery")]
  }

  /** Looks for deliveries that are due. */
  wake(): void {
    clearTimeout(this.timer)
    if (this.mode.isHeld === true || this.closing.signal.aborted) return
    const now = this.now()
    const ready = new Set<string>()
    let next = Number.POSITIVE_INFINITY
    for (const delivery of this.ledger.rows("delivery")) {
      if (this.running.has(delivery.receiver)) continue
      const due = this.dueOf(delivery)
      if (due <= now) ready.add(delivery.receiver)
      else next = Math.min(next, due)
    }
    if (next < Number.POSITIVE_INFINITY) {
      this.timer = setTimeout(() => this.wake(), Math.min(next - now, longestWaitMillis)).unref()
    }
    for (const receiver of ready) void this.run(receiver)
  }

  close(): void {
    clearTimeout(this.timer)
    this.closing.abort()
  }

  /** Delivers an event now, and returns the status of the answer, or 0 without one. Of several answers it is the first failure. */
  async send(event: string): Promise<number> {
    const receivers = this.channel.receiversOf(event)
    const statuses = await Promise.all(receivers.map((receiver) => this.sendTo(receiver, event)))
    return statuses.find((status) => !isSuccess(status)) ?? statuses[0] ?? 0
  }

  private async sendTo(receiver: string, event: string): Promise<number> {
    const signal = AbortSignal.any([this.closing.signal, AbortSignal.timeout(answerMillis)])
    const status = await this.channel
      .messageTo(receiver, event)
      .then((message) => post(message, signal))
      .catch(() => 0)
    if (isSuccess(status)) this.end({ event, receiver }, "delivered")
    return status
  }

  private end(delivery: Pick<EventDelivery, "event" | "receiver">, outcome: "delivered" | "given up"): void {
    this.ledger.transact(() => {
      this.ledger.remove("delivery", keyOf(delivery))
      this.channel.note(delivery.event, outcome)
    })
  }

  private dueOf({ attempts, due }: EventDelivery): number {
    return attempts === 0 ? due + (this.mode.delayMillis ?? 0) : due
  }

  private nextOf(receiver: string): EventDelivery | undefined {
    if (this.mode.isHeld === true || this.closing.signal.aborted) return undefined
    let last: EventDelivery | undefined
    for (const delivery of this.ledger.rows("delivery")) {
      if (delivery.receiver !== receiver || this.dueOf(delivery) > this.now()) continue
      if (this.mode.isReversed !== true) return delivery
      last = delivery
    }
    return last
  }

  private async run(receiver: string): Promise<void> {
    this.running.add(receiver)
    for (let next = this.nextOf(receiver); next !== undefined; next = this.nextOf(receiver)) {
      // An outcome that cannot be stored, for lack of room, is unknown: the event is delivered again.
      await this.deliver(next).catch(() => wait(storeMillis, undefined, { ref: false }))
    }
    this.running.delete(receiver)
    this.wake()
  }

  private async deliver(delivery: EventDelivery): Promise<void> {
    const { attempts, event, receiver, since } = delivery
    let status = 0
    for (let copy = 0; copy < (this.mode.copies ?? 1); copy += 1) status = await this.sendTo(receiver, event)
    if (isSuccess(status) || this.closing.signal.aborted) return
    if (since + this.channel.givenUpMillis < this.now()) return this.end(delivery, "given up")
    const due = this.now() + Math.min(firstWaitMillis * 2 ** attempts, longestWaitMillis)
    this.ledger.transact(() => {
      // The delivery may have been removed during the attempt.
      if (this.ledger.get("delivery", keyOf(delivery)) === undefined) return
      this.ledger.put("delivery", keyOf(delivery), { ...delivery, attempts: attempts + 1, due })
      this.channel.note(event, "failed")
    })
  }
}
