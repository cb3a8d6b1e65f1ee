import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { makeClinic } from "./harness/fixtures.ts"
import { confirmedSetup, newSetup } from "./harness/paymentSetup.ts"
import { Suite } from "./harness/Suite.ts"
import {
  clinicWithPatient,
  foreignSetup,
  patientMethodsOf,
  paymentInfoBody,
  savedMethodsOf,
  shippingAddress,
  unknownSetup,
  updatePaymentInfo
} from "./harness/savedMethods.ts"
import { askStripe, atStripe } from "./harness/stripe.ts"
import { testsOn } from "./harness/testsOn.ts"

const updated = {
  status: 200,
  success: true,
  message: "Payment information updated successfully",
  data: { code: "PAYMENT_SETUP_UPDATED" }
}
const invalid = (error: string) => ({ status: 400, success: false, message: "Invalid request", error })

testsOn(Suite.layer, "UPDATE_PAYMENT_INFO", (it) => {
  it("200: with the email beside the data, in it, and in both", function* () {
    const { clinic, email, userId } = yield* clinicWithPatient
    for (const place of [
      (data: object) => ({ email, data }),
      (data: object) => ({ data: { email: email.toUpperCase(), ...data } }),
      (data: object) => ({ email: ` ${email}`, data: { email, ...data } })
    ]) {
      const { customerId, id, paymentMethodId } = yield* confirmedSetup(clinic, email)
      yield* expectAnswer(updatePaymentInfo(clinic, place(paymentInfoBody(id, paymentMethodId))), 200, updated)
      assert.deepStrictEqual(yield* patientMethodsOf(clinic), [[userId, customerId, paymentMethodId]])
    }
    assert.match((yield* savedMethodsOf(clinic))[0]?.shipping_address ?? "", /^[\w-]{22}:/)
  })

  it("200: with each field beside the data or in it; the one beside it wins, and the other is not checked", function* () {
    const { clinic, email, userId } = yield* clinicWithPatient
    const names = ["email", "gatewaySetupId", "gatewayPaymentToken", "shippingAddress"] as const
    for (const atRoot of [[...names], [], ...names.map((name) => [name])]) {
      const { customerId, id, paymentMethodId } = yield* confirmedSetup(clinic, email)
      const all: Readonly<Record<string, unknown>> = { email, ...paymentInfoBody(id, paymentMethodId) }
      const pick = (isIn: (name: string) => boolean) =>
        Object.fromEntries(Object.entries(all).filter(([name]) => isIn(name)))
      const root = pick((name) => atRoot.some((field) => field === name))
      const inner = pick((name) => !(name in root))
      const losing = Object.fromEntries(atRoot.map((name) => [name, 7]))
      for (const data of [inner, { ...inner, ...losing }, atRoot.length === names.length ? "x" : inner]) {
        yield* expectAnswer(
          call("POST", "/api/v1/users", {
            key: clinic.key,
            body: { action: "UPDATE_PAYMENT_INFO", ...root, data },
            hasUnreadFields: true
          }),
          200,
          updated,
          JSON.stringify(atRoot)
        )
      }
      assert.deepStrictEqual(yield* patientMethodsOf(clinic), [[userId, customerId, paymentMethodId]])
    }
    const { id, paymentMethodId } = yield* confirmedSetup(clinic, email)
    assert.strictEqual(
      (yield* updatePaymentInfo(clinic, { email, ...paymentInfoBody(id, paymentMethodId) })).status,
      200
    )
  })

  it("200: with another method, or a token, that the customer of the setup intent can have", function* () {
    const { clinic, email, userId } = yield* clinicWithPatient
    const { customerId, id } = yield* confirmedSetup(clinic, email)
    const setupIntent = yield* askStripe((stripe) =>
      stripe.paymentMethods.create({ type: "card", card: { token: "tok_visa" } })
    )
    for (const token of [setupIntent.id, "tok_mastercard"]) {
      assert.strictEqual((yield* updatePaymentInfo(clinic, { email, data: paymentInfoBody(id, token) })).status, 200)
      const [[user, customer, methodId] = []] = yield* patientMethodsOf(clinic)
      assert.deepStrictEqual([user, customer], [userId, customerId])
      const method = yield* askStripe((stripe) => stripe.paymentMethods.retrieve(methodId ?? "-"))
      assert.strictEqual(method.customer, customerId)
      if (token === setupIntent.id) assert.strictEqual(methodId, setupIntent.id)
      else assert.strictEqual(method.card?.brand, "mastercard")
    }
  })

  it("200: with a setup intent without an email, or with that of another patient of the organization", function* () {
    const { clinic, email } = yield* clinicWithPatient
    const ofAnother = yield* confirmedSetup(clinic, (yield* clinicWithPatient).email)
    for (const id of [(yield* confirmedSetup(clinic)).id, yield* foreignSetup(undefined), ofAnother.id]) {
      assert.strictEqual(
        (yield* updatePaymentInfo(clinic, { email, data: paymentInfoBody(id, "pm_card_visa") })).status,
        200
      )
    }
  })

  const email = "maria@example.com"
  const data = paymentInfoBody("seti_1", "pm_1")
  const addressWith = (field: string, value: unknown) => ({
    email,
    data: { ...data, shippingAddress: { ...shippingAddress, [field]: value } }
  })
  const wrong: ReadonlyArray<readonly [string, object, string]> = [
    ["no email", { data }, "data.email, Required"],
    ["no email at all", { ...data }, "email, Required"],
    ["email", { email: "maria", data }, "email, must be a valid email"],
    ["email number", { email: 1, data }, "email, must be a text"],
    ["inner email number", { data: { email: 1, ...data } }, "data.email, must be a text"],
    ["a wrong email beside one that would do", { email: 1, data: { email, ...data } }, "email, must be a text"],
    [
      "nothing but an email",
      { email },
      "gatewaySetupId, Required; gatewayPaymentToken, Required; shippingAddress, Required"
    ],
    ["data text", { email, data: "x" }, "data, must be an object"],
    ["no address", { email, data: { ...data, shippingAddress: undefined } }, "data.shippingAddress, Required"],
    ...["gatewaySetupId", "gatewayPaymentToken"].flatMap((field) => [
      [`no ${field}`, { email, data: { ...data, [field]: undefined } }, `data.${field}, Required`] as const,
      [`blank ${field}`, { email, data: { ...data, [field]: " " } }, `data.${field}, must not be empty`] as const,
      [`${field} number`, { email, data: { ...data, [field]: 1 } }, `data.${field}, must be a text`] as const
    ]),
    ...Object.keys(shippingAddress).flatMap((field) => [
      [`no ${field}`, addressWith(field, undefined), `data.shippingAddress.${field}, Required`] as const,
      [`${field} number`, addressWith(field, 1), `data.shippingAddress.${field}, must be a text`] as const
    ]),
    ["empty line", addressWith("addressLine1", ""), "data.shippingAddress.addressLine1, must not be empty"]
  ]
  for (const [name, body, error] of wrong) {
    it(`400: ${name}`, function* () {
      yield* expectAnswer(updatePaymentInfo(yield* makeClinic, body), 400, invalid(error))
    })
  }

  it("400: nobody has the email, or only staff or another organization's patient", function* () {
    const { clinic } = yield* clinicWithPatient
    const staff = `staff.${randomUUID()}@example.com`
    yield* admin("POST", `/organizations/${clinic.organizationId}/members`, {
      email: staff,
      firstName: "Jane",
      lastName: "Rivera",
      role: "SUPPORT"
    })
    for (const email of ["nobody@example.com", staff, (yield* clinicWithPatient).email]) {
      const { id, paymentMethodId } = yield* confirmedSetup(clinic, email)
      yield* expectAnswer(
        updatePaymentInfo(clinic, { email, data: paymentInfoBody(id, paymentMethodId) }),
        400,
        invalid(`User ${email} does not exist`)
      )
    }
    assert.deepStrictEqual(yield* savedMethodsOf(clinic), [])
  })

  it("400: no such setup intent, one of another kind, or of another organization's patient", function* () {
    const { clinic, email } = yield* clinicWithPatient
    const other = yield* clinicWithPatient
    const payment = yield* call("POST", "/api/v1/payments/intent", { key: clinic.key, body: { amount: 10 } })
    for (const id of [
      unknownSetup,
      String(payment.json.data.paymentIntentSecret).split("_secret_")[0] ?? "-",
      "x",
      (yield* confirmedSetup(other.clinic, other.email)).id,
      (yield* confirmedSetup(other.clinic, email)).id,
      yield* newSetup(other.clinic, email),
      yield* foreignSetup(other.email)
    ]) {
      yield* expectAnswer(
        updatePaymentInfo(clinic, { email, data: paymentInfoBody(id, "pm_card_visa") }),
        400,
        invalid(`No setup intent exists for the id ${id}`)
      )
    }
    assert.deepStrictEqual(yield* savedMethodsOf(clinic), [])
  })

  it("400: an unconfirmed setup intent", function* () {
    const { clinic, email } = yield* clinicWithPatient
    const id = yield* newSetup(clinic, email)
    yield* expectAnswer(
      updatePaymentInfo(clinic, { email, data: paymentInfoBody(id, "pm_card_visa") }),
      400,
      invalid(`The setup intent ${id} is not confirmed`)
    )
  })

  it("400: a token that the gateway does not know, that is another customer's, or that the bank declines", function* () {
    const { clinic, email } = yield* clinicWithPatient
    const other = yield* clinicWithPatient
    const { id } = yield* confirmedSetup(clinic, email)
    const foreign = yield* confirmedSetup(other.clinic, other.email)
    for (const token of ["pm_1unknown", "tok_unknown", "card_1", foreign.paymentMethodId, "pm_card_chargeDeclined"]) {
      const { json, status } = yield* updatePaymentInfo(clinic, { email, data: paymentInfoBody(id, token) })
      const error = "The payment token is not known to the payment gateway, or cannot be the patient's"
      assert.deepStrictEqual([status, json], [400, invalid(error)])
    }
    assert.deepStrictEqual(yield* savedMethodsOf(clinic), [])
    const { customer } = yield* askStripe((stripe) => stripe.paymentMethods.retrieve(foreign.paymentMethodId))
    assert.strictEqual(customer, foreign.customerId)
  })

  it("409: the key with another body; the same 20 times at once saves one method", function* () {
    const { clinic, email } = yield* clinicWithPatient
    const { customerId, id } = yield* confirmedSetup(clinic, email)
    const headers = { "idempotency-key": randomUUID() }
    const body = { email, data: paymentInfoBody(id, "tok_mastercard") }
    const answers = yield* Effect.all(
      Array.from({ length: 20 }, () => updatePaymentInfo(clinic, body, headers)),
      { concurrency: "unbounded" }
    )
    for (const { json } of answers) assert.deepStrictEqual(json, updated)
    const methods = yield* askStripe((stripe) => stripe.customers.listPaymentMethods(customerId))
    assert.lengthOf(methods.data, 2)
    const { json, status } = yield* updatePaymentInfo(clinic, { email, data: paymentInfoBody(id, "tok_visa") }, headers)
    assert.deepStrictEqual(
      [status, json],
      [
        409,
        {
          success: false,
          message: "Idempotency conflict",
          error: "The idempotency key was used with another body.",
          code: "IDEMPOTENCY_ERROR"
        }
      ]
    )
  })

  it("503: while the gateway does not respond; the same request succeeds afterwards", function* () {
    const { clinic, email } = yield* clinicWithPatient
    const { customerId, id } = yield* confirmedSetup(clinic, email)
    const headers = { "idempotency-key": randomUUID() }
    const body = { email, data: paymentInfoBody(id, "tok_mastercard") }
    const stripe = yield* atStripe
    yield* stripe.addTrouble({ method: "POST", path: "/v1/payment_methods/*/attach", times: 2, does: "hangUpAfter" })
    assert.strictEqual((yield* updatePaymentInfo(clinic, body, headers)).status, 503)
    assert.deepStrictEqual(yield* savedMethodsOf(clinic), [])
    assert.strictEqual((yield* updatePaymentInfo(clinic, body, headers)).status, 200)
    const methods = yield* askStripe((client) => client.customers.listPaymentMethods(customerId))
    assert.lengthOf(methods.data, 2)
  })
})
