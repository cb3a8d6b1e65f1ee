import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { type Answer, admin, call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { pauseService, resumeService } from "./harness/killService.ts"
import { layerOneStripe, throughSecond } from "./harness/layerInstances.ts"
import type { Suite } from "./harness/Suite.ts"
import { saveMethod } from "./harness/saveMethod.ts"
import { askStripe, atStripe } from "./harness/stripe.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

// Makes a captured payment of 100 USD.
const paidPayment = Effect.gen(function* () {
  const clinic = yield* makeClinic
  const caseId = String((yield* createCase(clinic, caseBody(clinic))).json.data.caseId)
  yield* saveMethod(clinic, caseId, "pm_card_visa")
  const body = { amount: 100, description: "Second month", preauthorize: true }
  const payment = yield* call("POST", `/api/v1/cases/${caseId}/payments`, { key: clinic.key, body })
  const paymentId = String(payment.json.data.result.paymentId)
  const captured = yield* admin("POST", `/payments/${paymentId}/capture`, {})
  assert.strictEqual(captured.json.status, "PAID")
  return { paymentId, intentId: String(captured.json.gateway.intentId) }
})

const requestsTo = (method: string, path: RegExp) =>
  Effect.flatMap(atStripe, ({ requests }) =>
    Effect.map(requests, (all) => all.filter((request) => request.method === method && path.test(request.path)))
  )

const refundsOf = (intentId: string) =>
  askStripe(async (stripe) =>
    (await stripe.refunds.list({ payment_intent: intentId })).data.map(({ amount }) => amount)
  )

const pause = pauseService("payments")

// Requests a refund whose call at Stripe is slow, and pauses the process when the call has arrived there.
const pausedDuring = Effect.fnUntraced(function* (
  work: Effect.Effect<Answer, unknown, Suite>,
  method: "GET" | "POST",
  path: string,
  asked: RegExp
) {
  const stripe = yield* atStripe
  yield* stripe.forgetRequests
  yield* stripe.addTrouble({ method, path, does: "delay", millis: 1000 })
  const working = yield* Effect.forkChild(work)
  yield* until(requestsTo(method, asked), (requests) => requests.length > 0)
  yield* pause
  return working
})

// Begins a refund, and pauses its process at a step.
const steps = {
  "before it has the request": (work: Effect.Effect<Answer, unknown, Suite>) =>
    Effect.andThen(pause, Effect.forkChild(work)),
  "before it calls Stripe": (work: Effect.Effect<Answer, unknown, Suite>) =>
    inDatabase("payments", (sql) =>
      sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`LOCK TABLE payments.stripe_calls IN EXCLUSIVE MODE`
          const working = yield* Effect.forkChild(work)
          yield* until(
            sql`
              SELECT pid FROM pg_locks WHERE relation = 'payments.stripe_calls'::regclass AND NOT granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            `,
            (waiting) => waiting.length > 0
          )
          yield* pause
          return working
        })
      )
    ),
  "before Stripe has done it": (work: Effect.Effect<Answer, unknown, Suite>) =>
    pausedDuring(work, "POST", "/v1/refunds", /refunds$/),
  "before it has Stripe's answer": (work: Effect.Effect<Answer, unknown, Suite>, intentId: string) =>
    Effect.tap(pausedDuring(work, "POST", "/v1/refunds", /refunds$/), () =>
      until(refundsOf(intentId), ({ length }) => length > 0)
    ),
  "before it has stored the answer": (work: Effect.Effect<Answer, unknown, Suite>, intentId: string) =>
    pausedDuring(work, "GET", "/v1/payment_intents/*", new RegExp(`${intentId}$`))
}

// Runs the job that settles the refund now, instead of waiting until it is due.
const settleNow = inDatabase(
  "payments",
  (sql) => sql`UPDATE payments.jobs SET due_at = now() WHERE queue_name = 'payment-operation'`
)

testsOn(layerOneStripe, "a refund whose process is stopped", (it) => {
  for (const [step, reach] of Object.entries(steps)) {
    it(`${step}, and that is asked for again elsewhere meanwhile, gives back once`, function* () {
      const { intentId, paymentId } = yield* paidPayment
      const refund = admin("POST", `/payments/${paymentId}/refund`, { amount: 40, refunded: 0 })
      const working = yield* reach(refund, intentId)
      const repeated = yield* until(
        Effect.andThen(settleNow, throughSecond(refund)),
        ({ json, status }) => status === 200 || json.title === "Another amount was given back"
      ).pipe(Effect.ensuring(Effect.orDie(resumeService("payments"))))
      const late = yield* Fiber.join(working)
      assert.include([200, 409, 503], late.status)
      assert.include([200, 409], repeated.status)
      yield* settleNow
      const { json } = yield* until(admin("GET", `/payments/${paymentId}`), ({ json }) => json.operation === null)
      assert.deepStrictEqual(yield* refundsOf(intentId), [4000])
      assert.deepStrictEqual([json.status, json.gateway.refunded], ["REFUND", 40])
    })
  }
})
