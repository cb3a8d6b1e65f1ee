import type { IncomingMessage, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { Clock, Effect } from "effect"
import { Deliveries, type Webhook } from "../standIn/Deliveries.ts"
import { listen } from "../standIn/listen.ts"
import { Received } from "../standIn/Received.ts"
import { sendAnswer } from "../standIn/sendAnswer.ts"
import { Troubles } from "../standIn/Troubles.ts"
import { Api, type ReceivedRequest } from "./Api.ts"
import { control } from "./control.ts"
import { Ledger } from "./Ledger.ts"
import { schedulingOutbox } from "./outbox.ts"
import { RateLimit } from "./RateLimit.ts"
import { failed, invalid, Refusal, unauthenticated } from "./Refusal.ts"
import { subscribeConfigured } from "./subscriptions.ts"

export interface SchedulingOptions {
  /** 0 is any that is free. */
  readonly port: number
  /** Whoever calls it shows this. */
  readonly token: string
  /** Who is told of events from the beginning, and the secret that signs them. */
  readonly webhook?: Webhook
  /** Where it keeps what it knows; without one that lives as long as it does. */
  readonly file?: string
  /** How many requests it answers in a minute: 500 unless said. */
  readonly limit?: number
}

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const given = await text(request)
  try {
    return given === "" ? {} : JSON.parse(given)
  } catch {
    throw invalid({ parameter: "body", message: "is not JSON" })
  }
}

const makeHandler = ({ file, limit = 500, token, webhook }: SchedulingOptions, now: () => number) => {
  const ledger = new Ledger(file)
  if (webhook !== undefined) subscribeConfigured(ledger, webhook, now())
  const deliveries = new Deliveries(schedulingOutbox(ledger, now), now)
  const received = new Received<ReceivedRequest>()
  const troubles = new Troubles()
  const account = { areLinksLate: false, isFree: false }
  const api = new Api({ limit: new RateLimit(limit, now), received, troubles })

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url: target = "" } = request
    const url = `http://127.0.0.1:${request.socket.localPort}`
    const { pathname: path, searchParams } = new URL(target, url)
    if (request.headers.authorization !== `Bearer ${token}`) throw unauthenticated()
    const body = await bodyOf(request)
    const call = () => ({ ...account, ledger, now: now(), url })
    if (path.startsWith("/control/")) {
      const parts = { account, call: call(), deliveries, received, troubles }
      return sendAnswer(response, await control(parts, method, path, body))
    }
    const reply = await api.reply(call, { method, path, query: Object.fromEntries(searchParams), body }, target)
    if (reply === "hangUp") return void request.socket.destroy()
    if (reply !== "silence") sendAnswer(response, reply)
  }

  return {
    deliveries,
    handle: (request: IncomingMessage, response: ServerResponse): void => {
      handle(request, response)
        .catch((error: unknown) =>
          sendAnswer(response, (error instanceof Refusal ? error : failed(String(error))).answer)
        )
        .finally(() => deliveries.wake())
    }
  }
}

/**
 * A stand-in for the scheduling provider, for development and tests: Calendly's API v2 as far as this project goes, with the
 * event types of a demo organization, and signed events. It keeps what it knows in a file, and so goes on where it was. The
 * paths under `/control`, with the same token, are its own: `schedulingControl` says what they do.
 */
export const runScheduling = Effect.fnUntraced(function* (options: SchedulingOptions) {
  const clock = yield* Clock.Clock
  const { deliveries, handle } = makeHandler(options, () => clock.currentTimeMillisUnsafe())
  yield* Effect.addFinalizer(() => Effect.sync(() => deliveries.close()))
  const url = yield* listen("The stand-in for the scheduling provider", options.port, handle)
  deliveries.wake()
  return { url }
})
