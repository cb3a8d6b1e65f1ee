import type { IncomingMessage, ServerResponse } from "node:http"
import { json, text } from "node:stream/consumers"
import { Effect, Schema } from "effect"
import { listen } from "../standIn/listen.ts"
import { sendAnswer } from "../standIn/sendAnswer.ts"
import { Behaviour, PharmacyLedger, ReceivedOrder } from "./PharmacyLedger.ts"
import { changeOf, sendChange, Update } from "./sendChange.ts"

interface PharmacyOptions {
  readonly port: number
  /** Whoever calls it shows this. */
  readonly token: string
  /** Where it tells of orders, and the secret that signs what it tells. */
  readonly callback: { readonly url: string; readonly secret: string }
  /** Where it keeps its orders; without one they live as long as it does. */
  readonly file?: string
}

// Longer than anybody waits for a pharmacy.
const slowMillis = 15_000

const readOrder = Schema.decodeUnknownSync(ReceivedOrder)
const readScript = Schema.decodeUnknownSync(Schema.Struct({ answers: Schema.Array(Behaviour) }))
const readUpdate = Schema.decodeUnknownSync(Update)

const answer = (response: ServerResponse, status: number, body: unknown): void => sendAnswer(response, { status, body })

const makeHandler = ({ callback, file, token }: PharmacyOptions) => {
  const ledger = new PharmacyLedger(file)

  const order = async (request: IncomingMessage, response: ServerResponse) => {
    const sent = await text(request)
    const body: unknown = JSON.parse(sent)
    const given = readOrder(body)
    const take = () => {
      const { bodyHash: _, ...taken } = ledger.take(given, sent)
      return taken
    }
    if (request.headers["idempotency-key"] !== given.externalId) {
      return answer(response, 400, { error: "Idempotency-Key has to be the externalId" })
    }
    ledger.note(given.externalId, body)
    if (ledger.isOther(given.externalId, sent)) {
      return answer(response, 409, { error: "This Idempotency-Key came with another body", retryable: false })
    }
    switch (ledger.next(given.pharmacyId)) {
      case "accept":
        return answer(response, 200, take())
      case "reject":
        return answer(response, 422, { error: "This pharmacy does not fill such orders", retryable: false })
      case "busy":
        return answer(response, 409, { error: "The order is being taken" })
      case "down":
        return answer(response, 503, { error: "Down for maintenance" })
      case "hangUp":
        return void request.socket.destroy()
      case "loseAnswer":
        take()
        return void request.socket.destroy()
      case "slow": {
        const taken = take()
        setTimeout(() => answer(response, 200, taken), slowMillis).unref()
      }
    }
  }

  const update = async (id: string, given: typeof Update.Type) => {
    const change = changeOf(id, given)
    ledger.noteChange(change)
    return given.isLost === true ? null : sendChange(callback, change)
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.headers.authorization !== `Bearer ${token}`) return answer(response, 401, { error: "Unauthorized" })
    const { pathname, searchParams } = new URL(request.url ?? "", "http://pharmacy")
    const [collection = "", kind = "", id = "", part] = pathname.slice(1).split("/").map(decodeURIComponent)
    const operation = `${request.method} ${collection} ${kind}${part === undefined ? "" : ` ${part}`}`.trim()
    switch (operation) {
      case "POST orders":
        return order(request, response)
      case "GET orders changes":
        return answer(
          response,
          200,
          ledger.changes(searchParams.get("after"), Number(searchParams.get("limit") ?? 100))
        )
      case "PUT control pharmacies":
        ledger.script(id, readScript(await json(request)).answers)
        return answer(response, 200, {})
      case "GET control orders":
        return answer(response, 200, ledger.show(id))
      case "POST control orders updates":
        return answer(response, 200, { status: await update(id, readUpdate(await json(request))) })
      default:
        return answer(response, 404, { error: "Not found" })
    }
  }
}

/**
 * A pharmacy for development and tests: it takes orders (`POST /orders`) once each, with one body, and tells of them by signed callbacks and in
 * the list of what changed (`GET /orders/changes?after=<next of the page before>&limit=100`), both also when it is started again. It does what it is told to do: `PUT /control/pharmacies/<pharmacyId>` with `{ "answers": [...] }` says how it answers orders for
 * that pharmacy, `POST /control/orders/<id>/updates` what it tells of one, `GET /control/orders/<id>` shows what came of it.
 */
export const runPharmacy = Effect.fnUntraced(function* (options: PharmacyOptions) {
  const handle = makeHandler(options)
  yield* listen("The pharmacy of the sandbox", options.port, (request, response) => {
    handle(request, response).catch(() => answer(response, 400, { error: "The request cannot be read" }))
  })
})
