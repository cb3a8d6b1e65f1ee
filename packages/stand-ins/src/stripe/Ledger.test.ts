import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { serveListener, temporaryFolder, until } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask, errorOf, startStripe } from "../../test/stripe.ts"
import { Ledger } from "./Ledger.ts"

it.live("a restart keeps objects, stored answers and undelivered events", () =>
  Effect.gen(function* () {
    const file = join(yield* temporaryFolder(), "stripe.journal")
    const nobody = { url: "http://127.0.0.1:1", secret: "whsec_x" }
    const before = yield* Effect.scoped(
      Effect.gen(function* () {
        const { control, stripe } = yield* startStripe({ file, webhooks: [nobody] })
        const customer = yield* ask(() =>
          stripe.customers.create({ email: "maria@example.com" }, { idempotencyKey: "k1" })
        )
        yield* ask(() => stripe.customers.create({ email: "second@example.com" }))
        yield* ask(() => stripe.customers.update(customer.id, { name: "Maria" }))
        return { customer, waiting: (yield* control.pendingDeliveries).length }
      })
    )
    assert.strictEqual(before.waiting, 3)
    let received = 0
    const { url } = yield* serveListener((_request, response) => {
      received += 1
      response.end()
    })
    const { control, stripe } = yield* startStripe({ file, webhooks: [{ url, secret: "whsec_x" }] })
    const listed = yield* ask(() => stripe.customers.list())
    assert.deepStrictEqual(
      listed.data.map(({ email, name }) => [email, name]),
      [
        ["second@example.com", null],
        ["maria@example.com", "Maria"]
      ]
    )
    const repeated = yield* ask(() => stripe.customers.create({ email: "maria@example.com" }, { idempotencyKey: "k1" }))
    assert.strictEqual(repeated.id, before.customer.id)
    yield* until(control.pendingDeliveries, (waiting) => waiting.length === 0)
    assert.strictEqual(received, 3)
  }).pipe(Effect.scoped)
)

it.live("whenever it is killed, each request is complete or has not happened", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder()
    const file = join(folder, "stripe.journal")
    yield* Effect.scoped(
      Effect.gen(function* () {
        const { stripe } = yield* startStripe({ file, webhooks: [{ url: "http://127.0.0.1:9", secret: "whsec_x" }] })
        const pay = (payment_method: string) =>
          stripe.paymentIntents.create(
            { allowed_payment_method_types: ["card"], amount: 500, currency: "usd", payment_method, confirm: true },
            { idempotencyKey: payment_method }
          )
        yield* ask(() => pay("pm_card_visa"))
        yield* errorOf(() => pay("pm_card_visa_chargeDeclined"))
      })
    )
    const written = readFileSync(file, "utf8")
    const states = new Set<string>()
    const ends = Array.from(written.matchAll(/\n/g), ({ index }) => index)
    for (const length of [0, ...ends.flatMap((end) => [end - 100, end, end + 1])]) {
      const cut = join(folder, "cut.journal")
      writeFileSync(cut, written.slice(0, length))
      const ledger = new Ledger(cut)
      const intents = ledger.all("payment_intent")
      assert.lengthOf(ledger.all("kept_answer"), intents.length)
      assert.lengthOf(ledger.all("charge"), intents.length)
      assert.isTrue(intents.every(({ status }) => status === "succeeded" || status === "requires_payment_method"))
      states.add(`${intents.length}`)
    }
    assert.deepStrictEqual([...states], ["0", "1", "2"])
  }).pipe(Effect.scoped)
)
