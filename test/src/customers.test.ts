import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call } from "./harness/call.ts"
import { jobsDone } from "./harness/database.ts"
import { erase, patientOf } from "./harness/erasures.ts"
import { type Clinic, caseBody, createCase, makeClinic, newPatient } from "./harness/fixtures.ts"
import { confirmedSetup } from "./harness/paymentSetup.ts"
import { Suite } from "./harness/Suite.ts"
import { details, methodsOf, update } from "./harness/savedMethods.ts"
import { askStripe } from "./harness/stripe.ts"

/** A patient of an organization, with a case: nobody who has been one before. */
const addPatient = Effect.fnUntraced(function* (clinic: Clinic) {
  const user = newPatient()
  const created = yield* createCase(clinic, caseBody(clinic, { user }))
  const caseId: string = created.json.data.caseId
  return { email: user.email, caseId, userId: yield* patientOf(clinic, caseId) }
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
})
