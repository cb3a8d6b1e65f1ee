import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call } from "./harness/call.ts"
import { jobsDone } from "./harness/database.ts"
import { erase, patientOf } from "./harness/erasures.ts"
import { type Clinic, caseBody, createCase, makeClinic, newPatient } from "./harness/fixtures.ts"
import { confirmedSetup, confirmSetup, newSetup } from "./harness/paymentSetup.ts"
import { Suite } from "./harness/Suite.ts"
import { complete, completion, details, methodsOf, update } from "./harness/savedMethods.ts"
import { askStripe } from "./harness/stripe.ts"

const denied = { status: 401, success: false, error: "Permission denied" }

/** A patient of an organization, with a case: nobody who has been one before. */
const addPatient = Effect.fnUntraced(function* (clinic: Clinic, email = newPatient().email) {
  const created = yield* createCase(clinic, caseBody(clinic, { user: { ...newPatient(), email } }))
  const caseId: string = created.json.data.caseId
  return { email, caseId, userId: yield* patientOf(clinic, caseId) }
})

const hold = ({ key }: Clinic, caseId: string) =>
  call("POST", `/api/v1/cases/${caseId}/payments`, {
    key,
    body: { amount: 10, description: "Second month", preauthorize: true }
  })

const isAlive = (customerId: string) =>
  Effect.map(
    askStripe((stripe) => stripe.customers.retrieve(customerId)),
    ({ deleted }) => deleted !== true
  )

const customerOf = (setupId: string) =>
  Effect.map(
    askStripe((stripe) => stripe.setupIntents.retrieve(setupId)),
    ({ customer }) => String(customer)
  )

const eraseAndDelete = Effect.fnUntraced(function* (userId: string) {
  assert.strictEqual((yield* erase(userId, true)).status, 200)
  yield* jobsDone("payments", "customer-deletion")
})

layer(Suite.layer, { timeout: "120 seconds", excludeTestServices: true })("the gateway's customer", (it) => {
  it.effect("is deleted with the last patient whose method it has, and not before", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic
      const [payer, child] = [yield* addPatient(clinic), yield* addPatient(clinic)]
      const { customerId, id, paymentMethodId } = yield* confirmedSetup(clinic, payer.email)
      for (const { email } of [payer, child]) {
        assert.strictEqual((yield* update(clinic, { email, data: details(id, paymentMethodId) })).status, 200)
      }
      yield* eraseAndDelete(child.userId)
      assert.deepStrictEqual(yield* methodsOf(clinic), [[payer.userId, customerId, paymentMethodId]])
      assert.strictEqual((yield* hold(clinic, payer.caseId)).status, 200)
      yield* eraseAndDelete(payer.userId)
      assert.isFalse(yield* isAlive(customerId))
    })
  )

  it.effect("of who was erased is made anew for whoever has the email then, as often as that happens", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic
      const { email } = newPatient()
      const customers = new Set<string>()
      for (const _ of [1, 2, 3]) {
        // Before there is a patient, and as one.
        const { customerId, id } = yield* confirmedSetup(clinic, email)
        customers.add(customerId)
        const { userId } = yield* addPatient(clinic, email)
        assert.strictEqual(yield* customerOf(yield* newSetup(clinic, email)), customerId)
        assert.strictEqual((yield* complete(clinic, completion(id))).status, 200)
        yield* eraseAndDelete(userId)
        assert.isFalse(yield* isAlive(customerId))
        assert.deepStrictEqual((yield* complete(clinic, completion(id))).json, denied)
      }
      assert.strictEqual(customers.size, 3)
      const setUp = yield* newSetup(clinic, email)
      yield* confirmSetup(setUp)
      assert.isTrue(yield* isAlive(yield* customerOf(setUp)))
    })
  )
})
