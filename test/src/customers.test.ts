import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call, expectAnswer } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { erase, patientOf, patientsOf } from "./harness/erasures.ts"
import { type Clinic, caseBody, createCase, makeClinic, newPatient } from "./harness/fixtures.ts"
import { confirmedSetup, confirmSetup, idIn, newSetup, ownersIn } from "./harness/paymentSetup.ts"
import { paid, paymentIntent } from "./harness/references.ts"
import { Suite } from "./harness/Suite.ts"
import {
  completeSetup,
  completionBody,
  foreignSetup,
  patientMethodsOf,
  paymentInfoBody,
  savedMethodsOf,
  updatePaymentInfo
} from "./harness/savedMethods.ts"
import { askStripe, atStripe } from "./harness/stripe.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"
import { changeUser } from "./harness/users.ts"

const denied = { status: 401, success: false, error: "Permission denied" }

/** Makes a new patient with a case. */
const addPatient = Effect.fnUntraced(function* (clinic: Clinic, email = newPatient().email, changes: object = {}) {
  const created = yield* createCase(clinic, caseBody(clinic, { user: { ...newPatient(), email }, ...changes }))
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

const moveTo = Effect.fnUntraced(function* ({ key }: Clinic, currentEmail: string) {
  const newEmail = `new.${currentEmail}`
  assert.strictEqual((yield* changeUser(key, "UPDATE_EMAIL", { currentEmail, newEmail })).status, 200)
  return newEmail
})

// Two organizations have a patient with the same email. The first has a payment method of a customer that names neither organization.
const takenCustomer = Effect.gen(function* () {
  const [clinic, other] = [yield* makeClinic, yield* makeClinic]
  const { email, userId } = yield* addPatient(clinic)
  yield* addPatient(other, email)
  const id = yield* foreignSetup(email, { email })
  assert.strictEqual((yield* completeSetup(clinic, completionBody(id))).status, 200)
  return { clinic, other, email, userId, id, customerId: yield* customerOf(id) }
})

testsOn(Suite.layer, "the gateway's customer", (it) => {
  it("is deleted with the last patient who has a payment method of it, and not before", function* () {
    const clinic = yield* makeClinic
    const [payer, child] = [yield* addPatient(clinic), yield* addPatient(clinic)]
    const { customerId, id, paymentMethodId } = yield* confirmedSetup(clinic, payer.email)
    for (const { email } of [payer, child]) {
      assert.strictEqual(
        (yield* updatePaymentInfo(clinic, { email, data: paymentInfoBody(id, paymentMethodId) })).status,
        200
      )
    }
    yield* eraseAndDelete(child.userId)
    assert.deepStrictEqual(yield* patientMethodsOf(clinic), [[payer.userId, customerId, paymentMethodId]])
    assert.strictEqual((yield* hold(clinic, payer.caseId)).status, 200)
    yield* eraseAndDelete(payer.userId)
    assert.isFalse(yield* isAlive(customerId))
  })

  for (const does of ["hangUpBefore", "hangUpAfter", "failBefore", "failAfter", "rateLimit"] as const) {
    it(`is deleted, and given to its patient, within seconds after ${does}`, function* () {
      const clinic = yield* makeClinic
      const stripe = yield* atStripe
      const { email } = newPatient()
      const customerId = yield* customerOf(yield* newSetup(clinic, email))
      const { userId } = yield* addPatient(clinic, email)
      yield* stripe.addTrouble({ method: "POST", path: "/v1/customers/*", does, times: 2 })
      const created = yield* until(
        call("POST", "/api/v1/payments/setup", { key: clinic.key, body: { email } }),
        ({ status }) => status !== 503
      )
      assert.strictEqual(yield* customerOf(idIn(created.json.paymentSecret)), customerId)
      const { id } = yield* confirmedSetup(clinic, email)
      assert.strictEqual((yield* completeSetup(clinic, completionBody(id))).status, 200)
      yield* stripe.clearTroubles

      yield* stripe.addTrouble({ path: "/v1/customers/*", does, times: 2 })
      yield* eraseAndDelete(userId)
      yield* stripe.clearTroubles
      assert.isFalse(yield* isAlive(customerId))
    })
  }

  it("of one patient can pay another patient's case, and the method then belongs to both", function* () {
    const clinic = yield* makeClinic
    const payer = yield* addPatient(clinic)
    const { customerId, id, paymentMethodId } = yield* confirmedSetup(clinic, payer.email)
    const payment = { amount: 10, currency: "USD", providerReference: { type: "SETUP_INTENT", id } }
    const child = yield* addPatient(clinic, newPatient().email, { payment })
    yield* jobsDone("cases", "payment-recording")
    assert.deepStrictEqual(yield* patientMethodsOf(clinic), [[child.userId, customerId, paymentMethodId]])
    assert.strictEqual((yield* hold(clinic, child.caseId)).status, 200)
  })

  it("of an erased patient cannot pay another patient's new case, and nobody is enrolled", function* () {
    const clinic = yield* makeClinic
    const { email, userId } = yield* addPatient(clinic)
    const { customerId, id } = yield* confirmedSetup(clinic, email)
    assert.strictEqual((yield* completeSetup(clinic, completionBody(id))).status, 200)
    yield* eraseAndDelete(userId)
    assert.isFalse(yield* isAlive(customerId))
    const before = yield* patientsOf(clinic)
    const payment = { amount: 10, currency: "USD", providerReference: { type: "SETUP_INTENT", id } }
    const { json, status } = yield* createCase(clinic, caseBody(clinic, { user: newPatient(), payment }))
    const error = "payment.providerReference.id, its customer is deleted"
    assert.deepStrictEqual([status, json], [422, { success: false, message: "Validation failed", error }])
    assert.deepStrictEqual(yield* patientsOf(clinic), before)
  })

  it("stays with the patient after a change of email, and never passes to the next owner of the email", function* () {
    const clinic = yield* makeClinic
    const { email, userId } = yield* addPatient(clinic)
    const { customerId, id, paymentMethodId } = yield* confirmedSetup(clinic, email)
    const newEmail = yield* moveTo(clinic, email)
    const other = yield* addPatient(clinic, email)
    const method = [userId, customerId, paymentMethodId]

    // The method belongs to the patient who was named when it was set up, whoever completes it.
    assert.strictEqual((yield* completeSetup(clinic, completionBody(id))).status, 200)
    assert.deepStrictEqual(yield* patientMethodsOf(clinic), [method])
    assert.deepInclude((yield* hold(clinic, other.caseId)).json, { success: false })
    const theirs = yield* confirmedSetup(clinic, email)
    assert.notStrictEqual(theirs.customerId, customerId)
    assert.strictEqual((yield* completeSetup(clinic, completionBody(theirs.id))).status, 200)
    assert.sameDeepMembers(
      [...(yield* patientMethodsOf(clinic))],
      [method, [other.userId, theirs.customerId, theirs.paymentMethodId]]
    )

    assert.strictEqual(yield* customerOf(yield* newSetup(clinic, newEmail)), customerId)
    const { metadata, ...customer } = yield* askStripe(async (stripe) => {
      const found = await stripe.customers.retrieve(customerId)
      return found.deleted ? assert.fail("The customer is deleted") : found
    })
    assert.deepStrictEqual([customer.email, metadata["userId"]], [newEmail, userId])
    yield* eraseAndDelete(userId)
    assert.isFalse(yield* isAlive(customerId))
    assert.isTrue(yield* isAlive(theirs.customerId))
  })

  it("belongs to the patient who completes a setup from before the enrollment", function* () {
    const clinic = yield* makeClinic
    const { email } = newPatient()
    const { customerId, id, paymentMethodId } = yield* confirmedSetup(clinic, email)
    const { userId } = yield* addPatient(clinic, email)
    assert.strictEqual((yield* completeSetup(clinic, completionBody(id))).status, 200)
    const newEmail = yield* moveTo(clinic, email)
    const ofNobody = yield* confirmedSetup(clinic, email)
    const other = yield* addPatient(clinic, email)
    assert.strictEqual((yield* completeSetup(clinic, completionBody(id))).status, 200)
    assert.deepStrictEqual(yield* patientMethodsOf(clinic), [[userId, customerId, paymentMethodId]])
    assert.notStrictEqual(ofNobody.customerId, customerId)
    assert.strictEqual((yield* completeSetup(clinic, completionBody(ofNobody.id))).status, 200)
    assert.sameMembers(
      (yield* savedMethodsOf(clinic)).map(({ customer_id, user_id }) => `${user_id} ${customer_id}`),
      [`${userId} ${customerId}`, `${other.userId} ${ofNobody.customerId}`]
    )
    assert.strictEqual(yield* customerOf(yield* newSetup(clinic, newEmail)), customerId)
  })

  it("with a method from a case belongs to that patient only, whoever has the email later", function* () {
    const clinic = yield* makeClinic
    const { email } = newPatient()
    const { customerId, id, paymentMethodId } = yield* confirmedSetup(clinic, email)
    const providerReference = { type: "SETUP_INTENT", id }
    const payment = { amount: 299.99, currency: "USD", providerReference }
    const { userId } = yield* addPatient(clinic, email, { payment })
    yield* jobsDone("cases", "payment-recording")
    const method = [userId, customerId, paymentMethodId]
    assert.deepStrictEqual(yield* patientMethodsOf(clinic), [method])
    yield* moveTo(clinic, email)
    yield* addPatient(clinic, email)
    yield* expectAnswer(completeSetup(clinic, completionBody(id)), 401, denied)
    assert.notStrictEqual(yield* customerOf(yield* newSetup(clinic, email)), customerId)
    assert.deepStrictEqual(yield* patientMethodsOf(clinic), [method])
  })

  it("still belongs to its patient after another method replaced its own, and is deleted with the patient", function* () {
    const clinic = yield* makeClinic
    for (const isErased of [false, true]) {
      const { email } = newPatient()
      const { customerId, id } = yield* confirmedSetup(clinic, email)
      const payment = { amount: 299.99, currency: "USD", providerReference: { type: "SETUP_INTENT", id } }
      const { userId } = yield* addPatient(clinic, email, { payment })
      yield* jobsDone("cases", "payment-recording")
      const newer = yield* confirmedSetup(clinic)
      const data = paymentInfoBody(newer.id, newer.paymentMethodId)
      assert.strictEqual((yield* updatePaymentInfo(clinic, { email, data })).status, 200)
      const isOfPatient = ([owner]: ReadonlyArray<string>) => owner === userId
      const method = [userId, newer.customerId, newer.paymentMethodId]
      assert.deepStrictEqual((yield* patientMethodsOf(clinic)).filter(isOfPatient), [method])

      yield* isErased ? eraseAndDelete(userId) : moveTo(clinic, email)
      const customers = [customerId, newer.customerId]
      assert.deepStrictEqual(yield* Effect.forEach(customers, isAlive), [!isErased, !isErased])
      const other = yield* addPatient(clinic, email)
      assert.notStrictEqual(yield* customerOf(yield* newSetup(clinic, email)), customerId)
      assert.strictEqual((yield* completeSetup(clinic, completionBody(id))).status, isErased ? 400 : 401)
      assert.notInclude(
        (yield* patientMethodsOf(clinic)).map(([owner]) => owner),
        other.userId
      )
    }
  })

  it("is the same for 20 parallel intents of a patient, which have the owner in their metadata, with and without an earlier customer", function* () {
    const clinic = yield* makeClinic
    const { organizationId } = clinic
    for (const hasCustomer of [true, false]) {
      const { email } = newPatient()
      const before = hasCustomer ? yield* customerOf(yield* newSetup(clinic, email)) : undefined
      const { userId } = yield* addPatient(clinic, email)
      const setups = yield* Effect.all(
        Array.from({ length: 20 }, () => newSetup(clinic, email)),
        { concurrency: "unbounded" }
      )
      const intents = yield* Effect.forEach(setups, (id) => askStripe((stripe) => stripe.setupIntents.retrieve(id)))
      assert.strictEqual(new Set(intents.map(({ customer }) => customer)).size, 1)
      for (const { metadata } of intents) {
        assert.deepStrictEqual(ownersIn(metadata ?? {}), { organizationId, userId, email })
      }
      const { data } = yield* askStripe((stripe) => stripe.customers.list({ email }))
      assert.deepStrictEqual(
        data.map(({ id, metadata }) => [id, metadata]),
        [[before ?? String(intents[0]?.customer), { organizationId, userId }]]
      )
    }
  })

  it("without an organization belongs to the first organization whose patient has a method of it", function* () {
    const { clinic, customerId, email, id, other, userId } = yield* takenCustomer
    const saved = yield* patientMethodsOf(clinic)
    assert.deepStrictEqual(
      saved.map(([user, customer]) => [user, customer]),
      [[userId, customerId]]
    )

    yield* expectAnswer(completeSetup(other, completionBody(id)), 401, denied)
    const updated = yield* updatePaymentInfo(other, { email, data: paymentInfoBody(id, "pm_card_visa") })
    const unknown = `No setup intent exists for the id ${id}`
    assert.deepInclude(updated.json, { status: 400, error: unknown })
    const payment = { amount: 10, currency: "USD", providerReference: { type: "SETUP_INTENT", id } }
    const created = yield* createCase(other, caseBody(other, { user: newPatient(), payment }))
    const error = "payment.providerReference.id, no such setup intent"
    assert.deepStrictEqual([created.status, created.json["error"]], [422, error])
    assert.isEmpty(yield* patientMethodsOf(other))
    assert.deepStrictEqual(yield* patientMethodsOf(clinic), saved)
    assert.isTrue(yield* isAlive(customerId))
  })

  it("of another organization can pay with an intent that names this organization, and the case begins with it", function* () {
    const { clinic, customerId, other } = yield* takenCustomer
    const ofOther = { customer: customerId, metadata: { organizationId: other.organizationId } }
    const payment = { amount: 10, currency: "USD", providerReference: yield* paymentIntent({ ...ofOther, ...paid }) }
    const refused = yield* createCase(clinic, caseBody(clinic, { user: newPatient(), payment }))
    const error = "payment.providerReference.id, no such payment intent"
    assert.deepStrictEqual([refused.status, refused.json["error"]], [422, error])
    assert.strictEqual((yield* createCase(other, caseBody(other, { user: newPatient(), payment }))).status, 200)
    yield* jobsDone("cases", "payment-recording")
    const payments = yield* inDatabase(
      "payments",
      (sql) => sql`SELECT status FROM payments.payments WHERE organization_id = ${other.organizationId}`
    )
    assert.deepStrictEqual(payments, [{ status: "PAID" }])

    // A payment method of the customer still belongs to the first organization.
    const { id } = yield* askStripe((stripe) => stripe.setupIntents.create({ ...ofOther, ...paid }))
    assert.strictEqual((yield* completeSetup(other, completionBody(id))).status, 401)
    const providerReference = { type: "SETUP_INTENT", id }
    const saving = yield* createCase(other, caseBody(other, { payment: { ...payment, providerReference } }))
    assert.strictEqual(saving.status, 422)
  })

  it("of the first organization stays its own after the deletion with the patient: no other organization can set up anything with it", function* () {
    const { customerId, email, id, other, userId } = yield* takenCustomer
    yield* eraseAndDelete(userId)
    assert.isFalse(yield* isAlive(customerId))
    yield* expectAnswer(completeSetup(other, completionBody(id)), 401, denied)
    const updated = yield* updatePaymentInfo(other, { email, data: paymentInfoBody(id, "pm_card_visa") })
    assert.deepInclude(updated.json, { status: 400, error: `No setup intent exists for the id ${id}` })
    assert.isEmpty(yield* patientMethodsOf(other))
  })

  it("of the first organization gets no method from another one, which does not learn what is confirmed", function* () {
    const { customerId, email, id, other } = yield* takenCustomer
    const methods = Effect.map(
      askStripe((stripe) => stripe.customers.listPaymentMethods(customerId)),
      ({ data }) => data.map((method) => method.id)
    )
    const before = yield* methods
    assert.lengthOf(before, 1)
    const open = yield* askStripe((stripe) => stripe.setupIntents.create({ customer: customerId, metadata: { email } }))
    yield* expectAnswer(completeSetup(other, completionBody(open.id)), 401, denied)
    for (const setupId of [open.id, id]) {
      const updated = yield* updatePaymentInfo(other, { email, data: paymentInfoBody(setupId, "tok_mastercard") })
      assert.deepInclude(updated.json, { status: 400, error: `No setup intent exists for the id ${setupId}` })
    }
    assert.deepStrictEqual(yield* methods, before)
  })

  it("of an erased patient is replaced by a new one for the next patient with the email, each time", function* () {
    const clinic = yield* makeClinic
    const { email } = newPatient()
    const customers = new Set<string>()
    for (const _ of [1, 2, 3]) {
      // Once before there is a patient, and once for the patient.
      const { customerId, id } = yield* confirmedSetup(clinic, email)
      customers.add(customerId)
      const { userId } = yield* addPatient(clinic, email)
      assert.strictEqual(yield* customerOf(yield* newSetup(clinic, email)), customerId)
      assert.strictEqual((yield* completeSetup(clinic, completionBody(id))).status, 200)
      yield* eraseAndDelete(userId)
      assert.isFalse(yield* isAlive(customerId))
      assert.deepStrictEqual((yield* completeSetup(clinic, completionBody(id))).json, denied)
    }
    assert.strictEqual(customers.size, 3)
    const setUp = yield* newSetup(clinic, email)
    yield* confirmSetup(setUp)
    assert.isTrue(yield* isAlive(yield* customerOf(setUp)))
  })
})
