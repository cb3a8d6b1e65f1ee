import { Clock, Effect } from "effect"
import { EventDeliveries, type Webhook } from "../standIn/EventDeliveries.ts"
import { StandIn } from "../standIn/StandIn.ts"
import { openLedger } from "../standIn/StandInLedger.ts"
import type { Address, Head, Incoming, Reply, StandInAnswer } from "../standIn/serveStandIn.ts"
import { answerApi, type ReceivedRequest } from "./Api.ts"
import { control } from "./control.ts"
import { Ledger } from "./Ledger.ts"
import { failed, invalid, Refusal, unauthenticated } from "./Refusal.ts"
import { schedulingChannel } from "./schedulingChannel.ts"
import { subscribeConfigured } from "./subscriptions.ts"

const windowMillis = 60_000

/** Limits the requests of a minute, which begins with its first request. */
class RateLimit {
  private readonly limit: number
  private readonly now: () => number
  private began = Number.NEGATIVE_INFINITY
  private count = 0

  constructor(limit: number, now: () => number) {
    this.limit = limit
    this.now = now
  }

  /** Counts a request, and returns whether it is over the limit and the headers of its answer. */
  take() {
    if (this.now() >= this.began + windowMillis) {
      this.began = this.now()
      this.count = 0
    }
    this.count += 1
    return {
      isOver: this.count > this.limit,
      headers: {
        "x-ratelimit-limit": String(this.limit),
        "x-ratelimit-remaining": String(Math.max(this.limit - this.count, 0)),
        "x-ratelimit-reset": String(Math.ceil((this.began + windowMillis - this.now()) / 1000))
      }
    }
  }
}

export interface SchedulingOptions extends Address {
  /** The token of its callers. */
  readonly token: string
  /** The first subscriptions, and their signing secrets. */
  readonly webhooks?: ReadonlyArray<Webhook>
  /** The file of the ledger, which otherwise is in memory alone. */
  readonly file?: string
  /** The requests that it answers in a minute: 500 by default. */
  readonly limit?: number
}

const refuse = (error: unknown): StandInAnswer => (error instanceof Refusal ? error : failed(String(error))).answer

const parse = (body: string): unknown => {
  try {
    return body === "" ? {} : JSON.parse(body)
  } catch {
    throw invalid({ parameter: "body", message: "is not JSON" })
  }
}

/**
 * Runs a stand-in for the scheduling provider until the scope closes: the part of Calendly's API v2 that this project
 * uses, with the event types of a demo organization and signed events. The paths under `/control`, with the same token,
 * are for tests: see `schedulingControl`.
 */
export const runScheduling = Effect.fnUntraced(function* (options: SchedulingOptions) {
  const { file, host, limit = 500, port, token, webhooks = [] } = options
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const ledger = yield* openLedger(file, (kept) => new Ledger(kept))
  subscribeConfigured(ledger, webhooks, now())
  const standIn = new StandIn<ReceivedRequest>(new EventDeliveries(ledger, schedulingChannel(ledger, now), now))
  const account = { areLinksLate: false, isFree: false }
  const rateLimit = new RateLimit(limit, now)

  const requireKnown = ({ headers }: Head) => {
    if (headers.authorization !== `Bearer ${token}`) throw unauthenticated()
  }

  const handle = async (incoming: Incoming): Promise<Reply> => {
    const { body, method, path, query, url } = incoming
    const callNow = () => ({ ...account, ledger, now: now(), url })
    if (path.startsWith("/control/")) {
      return standIn.control(incoming, (operation, id, params) => control(callNow(), account, operation, id, params))
    }
    const request = { method, path, query: Object.fromEntries(query), body: parse(body) }
    const target = query.size === 0 ? path : `${path}?${query}`
    const { headers: limits, isOver } = rateLimit.take()
    return standIn.reply(request, async (trouble) => {
      const answer = await answerApi(callNow, request, target, { isOver, trouble }).catch(refuse)
      return { ...answer, headers: { ...limits, ...answer.headers } }
    })
  }

  const name = "The stand-in for the scheduling provider"
  return yield* standIn.run({ name, host, port, requireKnown, handle, refuse })
})
