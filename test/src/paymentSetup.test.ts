import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic, newPatient } from "./harness/fixtures.ts"
import { confirmedSetup, newSetup } from "./harness/paymentSetup.ts"
import { Suite } from "./harness/Suite.ts"
import { askStripe, atStripe } from "./harness/stripe.ts"

const unknownSetup = "seti_1unknown"

const address = {
  line1: "500 Howard Street",
  line2: "Floor 2",
  city: "San Francisco",
  state: "CA",
  country: "US",
  postal_code: "94105"
}

type Headers = Readonly<Record<string, string>>

const complete = ({ key }: Pick<Clinic, "key">, body: unknown, headers: Headers = {}) =>
  call("POST", "/api/v1/complete-payment-setup", { key, body, headers })

const completion = (gatewaySetupID: string, changes: Readonly<Record<string, unknown>> = {}) => ({
  gatewaySetupID,
  shippingAddress: { ...address, ...changes }
})

const refused = (error: string) => ({ status: 400, success: false, error })
const denied = { status: 401, success: false, error: "Permission denied" }

/** An organization with a patient. */
const clinicWithPatient = Effect.gen(function* () {
  const clinic = yield* makeClinic
  const user = newPatient()
  const created = yield* createCase(clinic, caseBody(clinic, { user }))
  const caseId: string = created.json.data.caseId
  const userId: string = (yield* admin("GET", `/cases/${caseId}`)).json.submitter.id
  return { clinic, email: user.email, userId }
})

/** What is saved of the patients of an organization. */
const savedOf = ({ organizationId }: Clinic) =>
  inDatabase(
    (sql) => sql<{ user_id: string; customer_id: string; payment_method_id: string; shipping_address: string }>`
      SELECT user_id, customer_id, payment_method_id, shipping_address FROM payments.saved_methods
      WHERE organization_id = ${organizationId}
    `
  )
const methodsOf = (clinic: Clinic) =>
  Effect.map(savedOf(clinic), (rows) =>
    rows.map(({ customer_id, payment_method_id, user_id }) => [user_id, customer_id, payment_method_id])
  )

/** A setup intent that was made elsewhere on the platform's account, and confirmed. */
const foreignSetup = Effect.fnUntraced(function* (
  email: string | undefined,
  metadata: Readonly<Record<string, string>> = {},
  hasCustomer = true
) {
  const customer = hasCustomer
    ? (yield* askStripe((stripe) => stripe.customers.create(email === undefined ? {} : { email }))).id
    : undefined
  const setup = yield* askStripe((stripe) =>
    stripe.setupIntents.create({
      ...(customer !== undefined && { customer }),
      metadata,
      confirm: true,
      payment_method: "pm_card_visa",
      return_url: "https://shop.example.com"
    })
  )
  return setup.id
})

layer(Suite.layer, { timeout: "60 seconds", excludeTestServices: true })(
  "POST /api/v1/complete-payment-setup",
  (it) => {
    it.effect(
      "200: the method of a confirmed setup intent is the patient's, and the address; again it is 200 again",
      () =>
        Effect.gen(function* () {
          const { clinic, email, userId } = yield* clinicWithPatient
          const { customerId, id, paymentMethodId } = yield* confirmedSetup(clinic, email)
          for (const _ of [1, 2]) {
            const { json, status } = yield* complete(clinic, completion(id))
            assert.deepStrictEqual([status, json], [200, { status: 200, success: true }])
          }
          assert.deepStrictEqual(yield* methodsOf(clinic), [[userId, customerId, paymentMethodId]])
          assert.match((yield* savedOf(clinic))[0]?.shipping_address ?? "", /^[\w-]{22}:/)
          const newer = yield* confirmedSetup(clinic, email)
          assert.strictEqual(newer.customerId, customerId)
          yield* complete(clinic, completion(newer.id))
          assert.deepStrictEqual(yield* methodsOf(clinic), [[userId, customerId, newer.paymentMethodId]])
        })
    )

    it.effect("200: the email may be the customer's alone, in whatever letters, and the second line missing", () =>
      Effect.gen(function* () {
        const { clinic, email, userId } = yield* clinicWithPatient
        const id = yield* foreignSetup(email.toUpperCase())
        const { status } = yield* complete(
          clinic,
          completion(id, { line2: undefined, state: "ca", postal_code: "94105-1234" })
        )
        assert.strictEqual(status, 200)
        assert.strictEqual((yield* methodsOf(clinic))[0]?.[0], userId)
      })
    )

    it.effect("200: of a setup intent without a customer the patient's own one gets the method", () =>
      Effect.gen(function* () {
        const { clinic, email } = yield* clinicWithPatient
        const id = yield* foreignSetup(undefined, { email }, false)
        assert.strictEqual((yield* complete(clinic, completion(id))).status, 200)
        const [[, customerId, methodId] = []] = yield* methodsOf(clinic)
        const method = yield* askStripe((stripe) => stripe.paymentMethods.retrieve(methodId ?? "-"))
        assert.strictEqual(method.customer, customerId)
        const customer = yield* askStripe((stripe) => stripe.customers.retrieve(customerId ?? "-"))
        assert.deepInclude(customer, { email, metadata: { organizationId: clinic.organizationId } })
      })
    )

    const setupId = "seti_1"
    const wrong: ReadonlyArray<readonly [string, unknown, string]> = [
      ["no setup id", { shippingAddress: address }, "Gateway setup id must be provided"],
      [
        "setup id null",
        { gatewaySetupID: null, shippingAddress: address },
        "Gateway setup id is not valid: Expected string"
      ],
      ["blank setup id", { gatewaySetupID: " ", shippingAddress: address }, "Gateway setup id must be provided"],
      ["no address", { gatewaySetupID: setupId }, "Shipping address must be provided"],
      [
        "address text",
        { gatewaySetupID: setupId, shippingAddress: "x" },
        "Shipping address is not valid: Expected object"
      ],
      ...(
        [
          ["line1", "Shipping address line 1"],
          ["city", "Shipping address city"],
          ["state", "Shipping address state"],
          ["country", "Shipping address country"],
          ["postal_code", "Shipping address postal code"]
        ] as const
      ).flatMap(([field, name]) => [
        [`no ${field}`, completion(setupId, { [field]: undefined }), `${name} must be provided`] as const,
        [`empty ${field}`, completion(setupId, { [field]: "" }), `${name} must be provided`] as const,
        [`blank ${field}`, completion(setupId, { [field]: "  " }), `${name} must be provided`] as const,
        [`${field} number`, completion(setupId, { [field]: 1 }), `${name} is not valid: Expected string`] as const
      ]),
      [
        "line2 number",
        completion(setupId, { line2: 1 }),
        "Shipping address line 2 is not valid: Expected string | null"
      ],
      [
        "state's name",
        completion(setupId, { state: "California" }),
        "Shipping address state is not valid: must be the 2-letter code of a US state"
      ],
      [
        "unknown state",
        completion(setupId, { state: "ZZ" }),
        "Shipping address state is not valid: must be the 2-letter code of a US state"
      ],
      [
        "country's name",
        completion(setupId, { country: "USA" }),
        "Shipping address country is not valid: must be a 2-letter ISO 3166 country code"
      ],
      [
        "unknown country",
        completion(setupId, { country: "ZZ" }),
        "Shipping address country is not valid: must be a 2-letter ISO 3166 country code"
      ],
      [
        "postal code",
        completion(setupId, { postal_code: "9410" }),
        "Shipping address postal code is not valid: must be 5 digits, or 5+4 digits"
      ],
      ["all empty", { shippingAddress: {} }, "Gateway setup id must be provided"],
      ["nothing", {}, "Gateway setup id must be provided"],
      ["a list", [], "body, Expected a JSON object"],
      ["unknown setup intent", completion(unknownSetup), `No setup intent exists for the id ${unknownSetup}`],
      ["payment intent", completion("pi_1"), "No setup intent exists for the id pi_1"]
    ]
    for (const [name, body, error] of wrong) {
      it.effect(`400: ${name}`, () =>
        Effect.gen(function* () {
          const { json, status } = yield* complete(yield* makeClinic, body)
          assert.deepStrictEqual([status, json], [400, refused(error)])
        })
      )
    }

    it.effect("400: no key; a key that is none", () =>
      Effect.gen(function* () {
        const missing = yield* call("POST", "/api/v1/complete-payment-setup", { body: completion(setupId) })
        assert.deepStrictEqual([missing.status, missing.json], [400, refused("Missing cv-api-key header")])
        const { json, status } = yield* complete({ key: "nonsense" }, completion(setupId))
        assert.deepStrictEqual([status, json], [400, refused("Invalid API key")])
      })
    )

    it.effect("400: nobody has confirmed the setup intent", () =>
      Effect.gen(function* () {
        const { clinic, email } = yield* clinicWithPatient
        const id = yield* newSetup(clinic, email)
        const { json, status } = yield* complete(clinic, completion(id))
        assert.deepStrictEqual([status, json], [400, refused(`The setup intent ${id} is not confirmed`)])
        assert.deepStrictEqual(yield* savedOf(clinic), [])
      })
    )

    it.effect("401: the setup intent is another organization's, of nobody, or of nobody's patient", () =>
      Effect.gen(function* () {
        const { clinic, email } = yield* clinicWithPatient
        const other = yield* clinicWithPatient
        const staff = `staff.${randomUUID()}@example.com`
        yield* admin("POST", `/organizations/${clinic.organizationId}/members`, {
          email: staff,
          firstName: "Jane",
          lastName: "Rivera",
          role: "SUPPORT"
        })
        const setups = [
          // Its email belongs to the organization, and it was made for another one.
          (yield* confirmedSetup(other.clinic, email)).id,
          (yield* confirmedSetup(other.clinic, other.email)).id,
          yield* foreignSetup(other.email),
          yield* foreignSetup("nobody@example.com"),
          yield* foreignSetup(undefined),
          // The intent's own email counts, not its customer's.
          yield* foreignSetup(email, { email: other.email }),
          (yield* confirmedSetup(clinic)).id,
          (yield* confirmedSetup(clinic, staff)).id,
          // Whether it is confirmed, nobody else is told.
          yield* newSetup(other.clinic, other.email)
        ]
        for (const id of setups) {
          const { json, status } = yield* complete(clinic, completion(id))
          assert.deepStrictEqual([status, json], [401, denied])
        }
        assert.deepStrictEqual(yield* savedOf(clinic), [])
        assert.deepStrictEqual(yield* savedOf(other.clinic), [])
      })
    )

    it.effect("409: the key with another body; the same 20 times at once takes effect once", () =>
      Effect.gen(function* () {
        const { clinic, email, userId } = yield* clinicWithPatient
        const { customerId, id, paymentMethodId } = yield* confirmedSetup(clinic, email)
        const headers = { "idempotency-key": randomUUID() }
        const answers = yield* Effect.all(
          Array.from({ length: 20 }, () => complete(clinic, completion(id), headers)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
        assert.deepStrictEqual(yield* methodsOf(clinic), [[userId, customerId, paymentMethodId]])
        const { json, status } = yield* complete(clinic, completion(id, { city: "Oakland" }), headers)
        assert.deepStrictEqual(
          [status, json],
          [
            409,
            {
              status: 409,
              success: false,
              error: "The idempotency key was used with another body.",
              code: "IDEMPOTENCY_ERROR"
            }
          ]
        )
      })
    )

    it.effect("503: while the gateway does not answer", () =>
      Effect.gen(function* () {
        const { clinic, email } = yield* clinicWithPatient
        const { id } = yield* confirmedSetup(clinic, email)
        const stripe = yield* atStripe
        yield* stripe.addTrouble({ method: "GET", path: `/v1/setup_intents/${id}`, times: 2, does: "hangUpBefore" })
        assert.strictEqual((yield* complete(clinic, completion(id))).status, 503)
        assert.deepStrictEqual(yield* savedOf(clinic), [])
        assert.strictEqual((yield* complete(clinic, completion(id))).status, 200)
      })
    )
  }
)

const shippingAddress = {
  addressLine1: "500 Howard Street",
  addressLine2: "",
  city: "San Francisco",
  state: "CA",
  country: "US",
  postalCode: "94105"
}

const update = ({ key }: Pick<Clinic, "key">, body: object, headers: Headers = {}) =>
  call("POST", "/api/v1/users", { key, body: { action: "UPDATE_PAYMENT_INFO", ...body }, headers })

const details = (
  gatewaySetupId: string,
  gatewayPaymentToken: string,
  changes: Readonly<Record<string, unknown>> = {}
) => ({ gatewaySetupId, gatewayPaymentToken, shippingAddress, ...changes })

const updated = {
  status: 200,
  success: true,
  message: "Payment information updated successfully",
  data: { code: "PAYMENT_SETUP_UPDATED" }
}
const invalid = (error: string) => ({ status: 400, success: false, message: "Invalid request", error })

layer(Suite.layer, { timeout: "60 seconds", excludeTestServices: true })("UPDATE_PAYMENT_INFO", (it) => {
  it.effect("200: with the email beside the data, in it, and in both", () =>
    Effect.gen(function* () {
      const { clinic, email, userId } = yield* clinicWithPatient
      for (const place of [
        (data: object) => ({ email, data }),
        (data: object) => ({ data: { email: email.toUpperCase(), ...data } }),
        (data: object) => ({ email: ` ${email}`, data: { email, ...data } })
      ]) {
        const { customerId, id, paymentMethodId } = yield* confirmedSetup(clinic, email)
        const { json, status } = yield* update(clinic, place(details(id, paymentMethodId)))
        assert.deepStrictEqual([status, json], [200, updated])
        assert.deepStrictEqual(yield* methodsOf(clinic), [[userId, customerId, paymentMethodId]])
      }
      assert.match((yield* savedOf(clinic))[0]?.shipping_address ?? "", /^[\w-]{22}:/)
    })
  )

  it.effect("200: with another method, or a token, that the customer of the setup intent can have", () =>
    Effect.gen(function* () {
      const { clinic, email, userId } = yield* clinicWithPatient
      const { customerId, id } = yield* confirmedSetup(clinic, email)
      const own = yield* askStripe((stripe) =>
        stripe.paymentMethods.create({ type: "card", card: { token: "tok_visa" } })
      )
      for (const token of [own.id, "tok_mastercard"]) {
        assert.strictEqual((yield* update(clinic, { email, data: details(id, token) })).status, 200)
        const [[user, customer, methodId] = []] = yield* methodsOf(clinic)
        assert.deepStrictEqual([user, customer], [userId, customerId])
        const method = yield* askStripe((stripe) => stripe.paymentMethods.retrieve(methodId ?? "-"))
        assert.strictEqual(method.customer, customerId)
        if (token === own.id) assert.strictEqual(methodId, own.id)
        else assert.strictEqual(method.card?.brand, "mastercard")
      }
    })
  )

  it.effect("200: with a setup intent that names nobody, or another patient of the organization", () =>
    Effect.gen(function* () {
      const { clinic, email } = yield* clinicWithPatient
      const ofAnother = yield* confirmedSetup(clinic, (yield* clinicWithPatient).email)
      for (const id of [(yield* confirmedSetup(clinic)).id, yield* foreignSetup(undefined), ofAnother.id]) {
        assert.strictEqual((yield* update(clinic, { email, data: details(id, "pm_card_visa") })).status, 200)
      }
    })
  )

  const email = "maria@example.com"
  const data = details("seti_1", "pm_1")
  const addressWith = (field: string, value: unknown) => ({
    email,
    data: { ...data, shippingAddress: { ...shippingAddress, [field]: value } }
  })
  const wrong: ReadonlyArray<readonly [string, object, string]> = [
    ["no email", { data }, "email, Required"],
    ["email", { email: "maria", data }, "email, must be a valid email"],
    ["email number", { email: 1, data }, "email, Expected string | null"],
    ["inner email number", { data: { email: 1, ...data } }, "data.email, Expected string | null"],
    [
      "two emails",
      { email, data: { email: "jane@example.com", ...data } },
      "data.email, must be the same as `email` beside `data`"
    ],
    ["no data", { email }, "data, Required"],
    ["data text", { email, data: "x" }, "data, Expected object"],
    ["no address", { email, data: { ...data, shippingAddress: undefined } }, "data.shippingAddress, Required"],
    ...["gatewaySetupId", "gatewayPaymentToken"].flatMap((field) => [
      [`no ${field}`, { email, data: { ...data, [field]: undefined } }, `data.${field}, Required`] as const,
      [`blank ${field}`, { email, data: { ...data, [field]: " " } }, `data.${field}, must not be empty`] as const,
      [`${field} number`, { email, data: { ...data, [field]: 1 } }, `data.${field}, Expected string`] as const
    ]),
    ...Object.keys(shippingAddress).flatMap((field) => [
      [`no ${field}`, addressWith(field, undefined), `data.shippingAddress.${field}, Required`] as const,
      [`${field} number`, addressWith(field, 1), `data.shippingAddress.${field}, Expected string`] as const
    ]),
    ["empty line", addressWith("addressLine1", ""), "data.shippingAddress.addressLine1, must not be empty"]
  ]
  for (const [name, body, error] of wrong) {
    it.effect(`400: ${name}`, () =>
      Effect.gen(function* () {
        const { json, status } = yield* update(yield* makeClinic, body)
        assert.deepStrictEqual([status, json], [400, invalid(error)])
      })
    )
  }

  it.effect("400: nobody has the email, or only staff or another organization's patient", () =>
    Effect.gen(function* () {
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
        const { json, status } = yield* update(clinic, { email, data: details(id, paymentMethodId) })
        assert.deepStrictEqual([status, json], [400, invalid(`User ${email} does not exist`)])
      }
      assert.deepStrictEqual(yield* savedOf(clinic), [])
    })
  )

  it.effect("400: no such setup intent, one of another kind, or of another organization's patient", () =>
    Effect.gen(function* () {
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
        const { json, status } = yield* update(clinic, { email, data: details(id, "pm_card_visa") })
        assert.deepStrictEqual([status, json], [400, invalid(`No setup intent exists for the id ${id}`)])
      }
      assert.deepStrictEqual(yield* savedOf(clinic), [])
    })
  )

  it.effect("400: nobody has confirmed the setup intent", () =>
    Effect.gen(function* () {
      const { clinic, email } = yield* clinicWithPatient
      const id = yield* newSetup(clinic, email)
      const { json, status } = yield* update(clinic, { email, data: details(id, "pm_card_visa") })
      assert.deepStrictEqual([status, json], [400, invalid(`The setup intent ${id} is not confirmed`)])
    })
  )

  it.effect("400: a token that the gateway does not know, that is another customer's, or that the bank declines", () =>
    Effect.gen(function* () {
      const { clinic, email } = yield* clinicWithPatient
      const other = yield* clinicWithPatient
      const { id } = yield* confirmedSetup(clinic, email)
      const foreign = yield* confirmedSetup(other.clinic, other.email)
      for (const token of ["pm_1unknown", "tok_unknown", "card_1", foreign.paymentMethodId, "pm_card_chargeDeclined"]) {
        const { json, status } = yield* update(clinic, { email, data: details(id, token) })
        const error = "The payment token is not known to the payment gateway, or cannot be the patient's"
        assert.deepStrictEqual([status, json], [400, invalid(error)])
      }
      assert.deepStrictEqual(yield* savedOf(clinic), [])
      const { customer } = yield* askStripe((stripe) => stripe.paymentMethods.retrieve(foreign.paymentMethodId))
      assert.strictEqual(customer, foreign.customerId)
    })
  )

  it.effect("401: no key; a key that is none", () =>
    Effect.gen(function* () {
      for (const key of ["", "nonsense"]) {
        const { json, status } = yield* update({ key }, { email, data })
        assert.deepStrictEqual([status, json], [401, { status: 401, error: "Invalid API key" }])
      }
    })
  )

  it.effect("409: the key with another body; the same 20 times at once saves one method", () =>
    Effect.gen(function* () {
      const { clinic, email } = yield* clinicWithPatient
      const { customerId, id } = yield* confirmedSetup(clinic, email)
      const headers = { "idempotency-key": randomUUID() }
      const body = { email, data: details(id, "tok_mastercard") }
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => update(clinic, body, headers)),
        { concurrency: "unbounded" }
      )
      for (const { json } of answers) assert.deepStrictEqual(json, updated)
      const methods = yield* askStripe((stripe) => stripe.customers.listPaymentMethods(customerId))
      assert.lengthOf(methods.data, 2)
      const { json, status } = yield* update(clinic, { email, data: details(id, "tok_visa") }, headers)
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
  )

  it.effect("503: while the gateway does not answer; the same request goes on from there", () =>
    Effect.gen(function* () {
      const { clinic, email } = yield* clinicWithPatient
      const { customerId, id } = yield* confirmedSetup(clinic, email)
      const headers = { "idempotency-key": randomUUID() }
      const body = { email, data: details(id, "tok_mastercard") }
      const stripe = yield* atStripe
      yield* stripe.addTrouble({ method: "POST", path: "/v1/payment_methods/*/attach", times: 2, does: "hangUpAfter" })
      assert.strictEqual((yield* update(clinic, body, headers)).status, 503)
      assert.deepStrictEqual(yield* savedOf(clinic), [])
      assert.strictEqual((yield* update(clinic, body, headers)).status, 200)
      const methods = yield* askStripe((client) => client.customers.listPaymentMethods(customerId))
      assert.lengthOf(methods.data, 2)
    })
  )
})
