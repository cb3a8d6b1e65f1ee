import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { bookingBody } from "../../src/harness/appointments.ts"
import { type Answer, call } from "../../src/harness/call.ts"
import { type Clinic, caseBody } from "../../src/harness/fixtures.ts"
import { idIn } from "../../src/harness/paymentSetup.ts"
import { orderBody } from "../../src/harness/placeOrder.ts"
import { askStripe } from "../../src/harness/stripe.ts"

/** What a partner's shop asks for a patient: a paid case, medication, a hold of money for a later delivery, and a visit. */
type Kind = "case" | "order" | "hold" | "visit"

/** A request of the shop with its idempotency key, and the answer, if there was one. */
export interface Sent {
  readonly kind: Kind
  readonly key: string
  readonly path: string
  readonly body: unknown
  readonly answer: Answer | undefined
}

export const isAccepted = ({ answer }: Sent): boolean => answer?.status === 200

/** Returns the id in the answer to an accepted request. A visit has none. */
export const idOf = ({ answer, kind }: Sent): string => {
  const data = answer?.json.data
  if (kind === "case") return data.caseId
  if (kind === "order") return data.order.id
  return kind === "hold" ? data.result.paymentId : ""
}

/** Returns what identifies the result of an accepted request in the database: an id, or the time of a visit. */
export const resultOf = (sent: Sent): string => {
  if (sent.kind !== "visit") return idOf(sent)
  const [, startTime = ""] = JSON.stringify(sent.body).match(/"startTime":"([^"]+)"/) ?? []
  return new Date(startTime).toISOString()
}

/** Sends a request of the shop, also again. A connection that breaks leaves it without an answer. */
export const send = ({ key: clinicKey }: Clinic, request: Omit<Sent, "answer">) =>
  call("POST", request.path, {
    key: clinicKey,
    body: request.body,
    headers: { "idempotency-key": request.key }
  }).pipe(
    Effect.catchCause(() => Effect.undefined),
    Effect.map((answer): Sent => ({ ...request, answer }))
  )

/** A shop: a clinic with open slots. */
interface Shop {
  readonly clinic: Clinic
  /** A case from before the backup, whose patient has a saved method. */
  readonly standingCaseId: string
  /** Open slots, each for one visit. */
  readonly slots: ReadonlyArray<string>
}

/** Makes the function that serves one patient after the other, and what it has sent so far. */
export const makeLoad = ({ clinic, slots, standingCaseId }: Shop) => {
  const sent: Array<Sent> = []
  let served = 0

  // Ends a worker when the suite is away. Any other refusal is a mistake of the drill.
  const requireSuccess = (answer: Answer | undefined) => {
    if (answer?.status === 200) return Effect.succeed(answer)
    return answer === undefined || answer.status >= 500 ? Effect.fail("away") : Effect.die(JSON.stringify(answer.json))
  }

  const ask = Effect.fnUntraced(function* (kind: Kind, path: string, body: unknown) {
    const answered = yield* send(clinic, { kind, key: randomUUID(), path, body })
    sent.push(answered)
    yield* requireSuccess(answered.answer)
    return answered
  })

  // The patient pays at Stripe before the shop creates the case.
  const payment = Effect.gen(function* () {
    const intent = call("POST", "/api/v1/payments/intent", { key: clinic.key, body: { amount: 10 } })
    const { json } = yield* requireSuccess(yield* Effect.catchCause(intent, () => Effect.undefined))
    const id = idIn(json.data.paymentIntentSecret)
    const paid = { payment_method: "pm_card_visa", return_url: "https://shop.example.com" }
    yield* askStripe((client) => client.paymentIntents.confirm(id, paid))
    return { amount: 10, currency: "USD", providerReference: { type: "PAYMENT_INTENT", id } }
  })

  const serve = Effect.gen(function* () {
    const [slot] = slots.slice(served++)
    const body = caseBody(clinic, { payment: yield* payment })
    const caseId = idOf(yield* ask("case", "/api/v1/cases", body))
    yield* ask("order", `/api/v1/cases/${caseId}`, { action: "PLACE_ORDER", order: orderBody() })
    yield* ask("hold", `/api/v1/cases/${standingCaseId}/payments`, {
      amount: 5,
      description: "Next delivery",
      preauthorize: true
    })
    if (slot !== undefined) yield* ask("visit", "/api/v1/calendar/appointments", bookingBody(body.user.email, slot))
  })

  return { sent, serve }
}
