import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { Effect, Schema } from "effect"
import { Webhook as Signer } from "standardwebhooks"
import { post, type Webhook } from "../standIn/EventDeliveries.ts"
import { openLedger } from "../standIn/StandInLedger.ts"
import {
  type Address,
  type Handler,
  type Incoming,
  type Reply,
  type StandInAnswer,
  serveStandIn
} from "../standIn/serveStandIn.ts"
import { type OrderEvent, PharmacyLedger, ReceivedOrder } from "./PharmacyLedger.ts"

/** A customer of the pharmacy, who sees no orders of others. */
interface PharmacyAccount {
  /** The token of its callers. */
  readonly token: string
  /** The receiver of callbacks, and their signing secret. */
  readonly callback: Webhook
  /** The file of the ledger, which otherwise is in memory alone. */
  readonly file?: string
}

interface PharmacyOptions extends Address {
  readonly accounts: ReadonlyArray<PharmacyAccount>
}

// `slow` and `loseAnswer` take the order but do not answer in time; `reject` is final, and `busy` is not.
const Behaviour = Schema.Literals(["accept", "reject", "busy", "slow", "down", "hangUp", "loseAnswer"])

// A change of an order. By default its id is new, its time is now, and a callback reports it.
const Update = Schema.Struct({
  id: Schema.optional(Schema.String),
  timestamp: Schema.optional(Schema.String),
  isLost: Schema.optional(Schema.Boolean),
  data: Schema.Record(Schema.String, Schema.Unknown)
})

// Of how many orders it shows what it received, and how many requests of one.
const maxOrders = 10_000
const maxReceived = 100

// Longer than any caller waits.
const slowMillis = 15_000

const readOrder = Schema.decodeUnknownSync(ReceivedOrder)
const readScript = Schema.decodeUnknownSync(Schema.Struct({ answers: Schema.Array(Behaviour) }))
const readUpdate = Schema.decodeUnknownSync(Update)

class Unauthorized extends Error {}

const answer = (status: number, body: unknown): StandInAnswer => ({ status, body })

const sendCallback = ({ secret, url }: Webhook, { event, id }: OrderEvent): Promise<number> => {
  const body = JSON.stringify(event)
  const sentAt = new Date()
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
    "webhook-signature": new Signer(secret).sign(id, sentAt, body)
  }
  return post({ url, headers, body })
}

const makeHandler = Effect.fnUntraced(function* ({ callback, file }: PharmacyAccount) {
  const ledger = yield* openLedger(file, (kept) => new PharmacyLedger(kept))
  const received = new Map<string, Array<unknown>>()
  const scripts = new Map<string, Array<typeof Behaviour.Type>>()

  // The last answer of a script stays.
  const nextBehaviour = (pharmacyId: string): typeof Behaviour.Type => {
    const answers = scripts.get(pharmacyId) ?? []
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? "accept"
  }

  const takeOrder = async ({ body, headers }: Incoming): Promise<Reply> => {
    const parsed: unknown = JSON.parse(body)
    const order = readOrder(parsed)
    if (headers["idempotency-key"] !== order.externalId) {
      return answer(400, { error: "Idempotency-Key has to be the externalId" })
    }
    const earlier = received.get(order.externalId) ?? []
    received.set(order.externalId, [...earlier, parsed].slice(-maxReceived))
    const [oldest] = received.keys()
    if (received.size > maxOrders && oldest !== undefined) received.delete(oldest)
    if (ledger.hasOther(order.externalId, body)) {
      return answer(409, { error: "This Idempotency-Key came with another body", retryable: false })
    }
    switch (nextBehaviour(order.pharmacyId)) {
      case "accept":
        return answer(200, ledger.take(order, body))
      case "reject":
        return answer(422, { error: "This pharmacy does not fill such orders", retryable: false })
      case "busy":
        return answer(409, { error: "The order is being taken" })
      case "down":
        return answer(503, { error: "Down for maintenance" })
      case "hangUp":
        return "hangUp"
      case "loseAnswer":
        ledger.take(order, body)
        return "hangUp"
      case "slow": {
        const accepted = ledger.take(order, body)
        return setTimeout(slowMillis, answer(200, accepted), { ref: false })
      }
    }
  }

  const update = async (externalId: string, request: typeof Update.Type) => {
    const { data, id = randomUUID(), isLost = false, timestamp = new Date().toISOString() } = request
    const change: OrderEvent = { id, event: { type: "order.updated", timestamp, data: { ...data, externalId } } }
    ledger.addChange(change)
    return isLost ? null : sendCallback(callback, change)
  }

  return async (incoming: Incoming): Promise<Reply> => {
    const { body, method, path, query } = incoming
    const [collection = "", kind = "", id = "", part] = path.slice(1).split("/").map(decodeURIComponent)
    switch (`${method} ${collection} ${kind}${part === undefined ? "" : ` ${part}`}`.trim()) {
      case "POST orders":
        return takeOrder(incoming)
      case "GET orders changes":
        return answer(200, ledger.changesAfter(Number(query.get("after") ?? 0), Number(query.get("limit") ?? 100)))
      case "PUT control pharmacies":
        scripts.set(id, [...readScript(JSON.parse(body)).answers])
        return answer(200, {})
      case "GET control orders":
        return answer(200, { taken: ledger.get("order", id) ?? null, received: received.get(id) ?? [] })
      case "POST control orders updates":
        return answer(200, { status: await update(id, readUpdate(JSON.parse(body))) })
      default:
        return answer(404, { error: "Not found" })
    }
  }
})

/**
 * Runs a pharmacy for development and tests until the scope closes. It takes each order once (`POST /orders`), and reports changes by
 * signed callbacks and in a list (`GET /orders/changes?after=<next of the page before>&limit=100`). Tests set how it answers orders
 * (`PUT /control/pharmacies/<pharmacyId>` with `{ "answers": [...] }`), change an order (`POST /control/orders/<id>/updates`), and read
 * one (`GET /control/orders/<id>`).
 */
export const runPharmacy = Effect.fnUntraced(function* ({ accounts, host, port }: PharmacyOptions) {
  const handlers = new Map<string, Handler>()
  for (const account of accounts) handlers.set(`Bearer ${account.token}`, yield* makeHandler(account))
  return yield* serveStandIn({
    name: "The pharmacy of the sandbox",
    host,
    port,
    handlerOf: ({ headers }) => {
      const handle = handlers.get(headers.authorization ?? "")
      if (handle === undefined) throw new Unauthorized()
      return handle
    },
    refuse: (error) =>
      error instanceof Unauthorized
        ? answer(401, { error: "Unauthorized" })
        : answer(400, { error: "The request cannot be read" })
  })
})
