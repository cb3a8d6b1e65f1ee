import { Schema } from "effect"
import type { Api } from "./Api.ts"
import { authorize, beginProcessing } from "./authorize.ts"
import type { Books } from "./Books.ts"
import type { Call } from "./Call.ts"
import { confirmPayment } from "./confirmPayment.ts"
import { confirmSetup } from "./confirmSetup.ts"
import { type Deliveries, Telling } from "./Deliveries.ts"
import { disputeAt, moveDispute, openDispute } from "./Dispute.ts"
import type { Answer } from "./errorAnswer.ts"
import { paymentAt } from "./PaymentIntent.ts"
import { methodNamed } from "./PaymentMethod.ts"
import type { Received } from "./Received.ts"
import { refundAt } from "./Refund.ts"
import { invalid, unknownObject } from "./Refusal.ts"
import { failRefund } from "./refunds.ts"
import { setupAt } from "./SetupIntent.ts"
import { Trouble, type Troubles } from "./Troubles.ts"

interface Parts {
  readonly api: Api
  readonly books: Books
  readonly deliveries: Deliveries
  readonly received: Received
  readonly troubles: Troubles
}

const Confirmation = Schema.Struct({ payment_method: Schema.String, return_url: Schema.optionalKey(Schema.String) })
const Disputed = Schema.Struct({ payment_intent: Schema.String, reason: Schema.optionalKey(Schema.String) })
const Closed = Schema.Struct({ status: Schema.Literals(["under_review", "won", "lost"]) })
const Sent = Schema.Struct({ events: Schema.Array(Schema.String) })

const readTrouble = Schema.decodeUnknownSync(Trouble)
const readTelling = Schema.decodeUnknownSync(Telling)
const readConfirmation = Schema.decodeUnknownSync(Confirmation)
const readDisputed = Schema.decodeUnknownSync(Disputed)
const readClosed = Schema.decodeUnknownSync(Closed)
const readSent = Schema.decodeUnknownSync(Sent)

// The intent as it then is, also when the method was declined: that is what a browser shows.
const confirm = (call: Call, id: string, body: unknown) => {
  const asked = readConfirmation(body)
  const method = methodNamed(call, asked.payment_method)
  const return_url = asked.return_url ?? `${call.url}/authorize/${id}`
  if (id.startsWith("seti_")) {
    confirmSetup(call, setupAt(call, id), method, return_url)
    return setupAt(call, id)
  }
  confirmPayment(call, paymentAt(call, id), method, { return_url })
  return paymentAt(call, id)
}

const dispute = (call: Call, body: unknown) => {
  const { payment_intent, reason } = readDisputed(body)
  const { latest_charge } = paymentAt(call, payment_intent)
  if (latest_charge === null) throw invalid("Nothing was charged that could be disputed.")
  return openDispute(call, latest_charge, reason ?? "fraudulent")
}

/** Does what a test asks for, beside Stripe's API: what goes wrong, when events are told, and what people do. */
export const control = async (
  { api, books, deliveries, received, troubles }: Parts,
  method: string,
  path: string,
  body: unknown
): Promise<Answer> => {
  const [, , kind = "", id = "", action = ""] = path.split("/")
  const done = (result: unknown): Answer => ({ status: 200, body: result })
  const doing = (work: (call: Call) => unknown): Answer => done(books.transact(() => work(api.call())))

  switch (`${method} ${[kind, id && "id", action].filter((part) => part !== "").join(" ")}`) {
    case "POST troubles":
      troubles.add(readTrouble(body))
      return done({})
    case "DELETE troubles":
      troubles.clear()
      return done({})
    case "GET requests":
      return done(received.all())
    case "DELETE requests":
      received.forget()
      return done({})
    case "PUT deliveries":
      deliveries.tell(readTelling(body))
      return done({})
    case "GET deliveries":
      return done(deliveries.waiting())
    case "POST deliveries": {
      const statuses: Array<number> = []
      for (const event of readSent(body).events) {
        const known = books.get("event", event)
        if (known === undefined) throw unknownObject("event", event)
        statuses.push(await deliveries.send(known))
      }
      return done({ statuses })
    }
    case "POST intents id confirm":
      return doing((call) => confirm(call, id, body))
    case "POST intents id authorize":
      return doing((call) => authorize(call, id, true))
    case "POST intents id fail":
      return doing((call) => authorize(call, id, false))
    case "POST intents id process":
      return doing((call) => beginProcessing(call, id))
    case "POST disputes":
      return doing((call) => dispute(call, body))
    case "POST disputes id":
      return doing((call) => moveDispute(call, disputeAt(call, id), readClosed(body)))
    case "POST refunds id fail":
      return doing((call) => failRefund(call, refundAt(call, id)))
    default:
      return { status: 404, body: { error: { message: "There is no such control." } } }
  }
}
