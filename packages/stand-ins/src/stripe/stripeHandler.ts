import type { IncomingMessage, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { Deliveries, type Webhook } from "../standIn/Deliveries.ts"
import { Received } from "../standIn/Received.ts"
import { sendAnswer } from "../standIn/sendAnswer.ts"
import { Troubles } from "../standIn/Troubles.ts"
import { Api } from "./Api.ts"
import { authorizePage, pressed } from "./authorizePage.ts"
import { expireHolds } from "./cancelPayment.ts"
import { control } from "./control.ts"
import { IdempotencyKeys } from "./IdempotencyKeys.ts"
import { newId } from "./ids.ts"
import { Ledger } from "./Ledger.ts"
import { stripeOutbox } from "./outbox.ts"
import type { ReceivedRequest } from "./ReceivedRequest.ts"
import { errorAnswer, failed, Refusal } from "./Refusal.ts"

export interface StripeOptions {
  /** 0 is any that is free. */
  readonly port: number
  /** `sk_test_...`: whoever calls it shows this. */
  readonly secretKey: string
  /** Who is told of events, and the secret that signs them: `whsec_...`. Nobody is, without it. */
  readonly webhook?: Webhook
  /** Where it keeps what it knows; without one that lives as long as it does. */
  readonly file?: string
}

const secretOf = ({ headers: { authorization = "" } }: IncomingMessage): string | undefined => {
  const [scheme = "", value = ""] = authorization.split(" ")
  if (/^bearer$/i.test(scheme)) return value
  return /^basic$/i.test(scheme) ? Buffer.from(value, "base64").toString().split(":")[0] : undefined
}

const unauthorized = (given: string | undefined): Refusal =>
  new Refusal(401, {
    type: "invalid_request_error",
    message:
      given === undefined || given === ""
        ? "No API key is given: send it as 'Authorization: Bearer YOUR_SECRET_KEY'."
        : `The API key is not valid: ${given.slice(0, 8)}...${given.slice(-4)}`
  })

const header = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === "string" ? value : undefined
}

/** What answers requests, with what there is to do beside: to tell of events, and to end holds. */
export const stripeHandler = ({ file, secretKey, webhook }: StripeOptions, now: () => number, url: () => string) => {
  const ledger = new Ledger(file)
  const deliveries = new Deliveries(stripeOutbox(ledger, webhook, now), now)
  const received = new Received<ReceivedRequest>()
  const troubles = new Troubles()
  const keys = new IdempotencyKeys(ledger)
  const api = new Api({ ledger, hasWebhook: webhook !== undefined, keys, now, received, troubles, url })

  let lastExpiry = 0
  // To look at every hold once in a second is often enough.
  const expire = () => {
    const call = api.call()
    if (call.now !== lastExpiry) ledger.transact(() => expireHolds(call))
    lastExpiry = call.now
  }

  const page = async (request: IncomingMessage, response: ServerResponse, id: string) => {
    if (request.method === "POST") {
      const result = new URLSearchParams(await text(request)).get("result")
      const location = ledger.transact(() => pressed(api.call(), id, result))
      return void response.writeHead(303, { location }).end()
    }
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(authorizePage(api.call(), id))
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search } = new URL(request.url ?? "", url())
    const method = request.method ?? ""
    expire()
    if (pathname.startsWith("/authorize/")) return page(request, response, pathname.slice("/authorize/".length))
    const given = secretOf(request)
    if (given !== secretKey) throw unauthorized(given)
    const body = await text(request)
    if (pathname.startsWith("/control/")) {
      const parts = { api, ledger, deliveries, received, troubles }
      return sendAnswer(response, await control(parts, method, pathname, body === "" ? {} : JSON.parse(body)))
    }
    const reply = await api.reply({
      method,
      path: pathname,
      text: method === "POST" ? body : search.slice(1),
      idempotencyKey: header(request, "idempotency-key"),
      version: header(request, "stripe-version")
    })
    if (reply === "hangUp") return void request.socket.destroy()
    if (reply !== "silence") sendAnswer(response, reply)
  }

  return {
    deliveries,
    /** Ends the holds that are over. */
    expire,
    handle: (request: IncomingMessage, response: ServerResponse): void => {
      handle(request, response)
        .catch((error: unknown) => {
          const refusal = error instanceof Refusal ? error : failed(String(error))
          const id = newId("req", 14)
          sendAnswer(response, { ...errorAnswer(refusal, id), headers: { "request-id": id } })
        })
        .finally(() => deliveries.wake())
    }
  }
}
