import type { BodyOf, Care } from "@care/client"
import { Effect, Random } from "effect"
import { advanceClock } from "./advanceClock.ts"
import { makeAppointment } from "./makeAppointment.ts"
import { checkInOf, intakeForm, medication, newPatient, supportTask } from "./newCase.ts"
import type { ScenarioStep } from "./Scenario.ts"
import { ScenarioFailed, send } from "./ScenarioFailed.ts"

type CreateStep = Extract<ScenarioStep, { readonly create: unknown }>

const price = 299

const startCheckout = Effect.fnUntraced(function* (care: Care, checkout: CreateStep["create"]["checkout"]) {
  const types = checkout === "PAY_LATER" ? { paymentMethodTypes: ["klarna"] } : {}
  const { data } = yield* send((signal) => care.payments.createIntent({ amount: price, ...types }, { signal }))
  const [id = ""] = data.paymentIntentSecret.split("_secret_")
  return id
})

const createCase = Effect.fnUntraced(function* (care: Care, { checkout, products: count = 1 }: CreateStep["create"]) {
  const { data: products } = yield* send((signal) => care.products.list({ limit: count }, { signal }).page())
  if (products.length < count) {
    return yield* new ScenarioFailed({
      message: `The sandbox has too few products: the scenario needs ${count}. Add them in the console in test mode, under Organizations.`
    })
  }
  const patient = newPatient(yield* Random.nextIntBetween(0, 10_000_000))
  const body: BodyOf<"intake.createCase"> = {
    user: patient,
    products: products.map(({ id }) => ({ id, form: intakeForm }))
  }
  if (checkout === undefined) {
    return (yield* send((signal) => care.cases.create(body, { signal }))).data.caseId
  }
  const id = yield* startCheckout(care, checkout)
  const payment = { amount: price, currency: "USD", providerReference: { type: "PAYMENT_INTENT" as const, id } }
  const whole = { ...body, idempotencyKey: id, payment }
  const request = checkout === "LATER" ? whole : { ...whole, status: "ABANDONED" as const }
  return (yield* send((signal) => care.cases.create(request, { signal }))).data.caseId
})

/** Performs a step of a scenario, of the case that the first step makes. Returns the case's id. */
export const performStep = Effect.fnUntraced(function* (care: Care, step: ScenarioStep, caseId: string) {
  if ("create" in step) return yield* createCase(care, step.create)
  if ("placeOrder" in step) yield* send((signal) => care.cases.placeOrder(caseId, medication, { signal }))
  else if ("escalate" in step) yield* send((signal) => care.cases.escalate(caseId, supportTask, { signal }))
  else if ("answer" in step) yield* send((signal) => care.forms.submit(checkInOf(caseId), { signal }))
  else if ("close" in step) yield* send((signal) => care.cases.changeStatus(caseId, { status: "CLOSE" }, { signal }))
  else if ("reopen" in step) yield* send((signal) => care.cases.changeStatus(caseId, { status: "REOPEN" }, { signal }))
  else if ("advance" in step) yield* advanceClock(care, { by: step.advance })
  else if ("appointment" in step) yield* makeAppointment(care, caseId, step.appointment, step.inDays)
  else yield* send((signal) => care.testCases.simulate(caseId, step.simulate, { signal }))
  return caseId
})
