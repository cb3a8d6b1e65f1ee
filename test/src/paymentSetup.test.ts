import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { expectAnswer } from "./harness/call.ts"
import { addStaff, makeClinic } from "./harness/fixtures.ts"
import { confirmedSetup, newSetup } from "./harness/paymentSetup.ts"
import { Suite } from "./harness/Suite.ts"
import {
  address,
  clinicWithPatient,
  completeSetup,
  completionBody,
  foreignSetup,
  patientMethodsOf,
  savedMethodsOf,
  unknownSetup
} from "./harness/savedMethods.ts"
import { askStripe, atStripe } from "./harness/stripe.ts"
import { testsOn } from "./harness/testsOn.ts"

const refused = (error: string) => ({ status: 400, success: false, error })
const denied = { status: 401, success: false, error: "Permission denied" }

testsOn(Suite.layer, "POST /api/v1/complete-payment-setup", (it) => {
  it("200: saves the method of a confirmed setup intent and the address for the patient; a repeat is 200, too", function* () {
    const { clinic, email, userId } = yield* clinicWithPatient
    const { customerId, id, paymentMethodId } = yield* confirmedSetup(clinic, email)
    for (const _ of [1, 2]) {
      yield* expectAnswer(completeSetup(clinic, completionBody(id)), 200, { status: 200, success: true })
    }
    assert.deepStrictEqual(yield* patientMethodsOf(clinic), [[userId, customerId, paymentMethodId]])
    assert.match((yield* savedMethodsOf(clinic))[0]?.shipping_address ?? "", /^[\w-]{22}:/)
    const newer = yield* confirmedSetup(clinic, email)
    assert.strictEqual(newer.customerId, customerId)
    yield* completeSetup(clinic, completionBody(newer.id))
    assert.deepStrictEqual(yield* patientMethodsOf(clinic), [[userId, customerId, newer.paymentMethodId]])
  })

  it("200: the email may be only the customer's, in any letter case, and the second address line may be missing", function* () {
    const { clinic, email, userId } = yield* clinicWithPatient
    const id = yield* foreignSetup(email.toUpperCase())
    const { status } = yield* completeSetup(
      clinic,
      completionBody(id, { line2: undefined, state: "ca", postal_code: "94105-1234" })
    )
    assert.strictEqual(status, 200)
    assert.strictEqual((yield* patientMethodsOf(clinic))[0]?.[0], userId)
  })

  it("200: an address of any country, whose postal code has the form that it has there", function* () {
    const { clinic, email } = yield* clinicWithPatient
    for (const place of [
      { state: "ON", country: "CA", postal_code: "K1A 0B6" },
      { state: "ld", country: "gb", postal_code: "SW1A 1AA" },
      { state: "CA", country: "IT", postal_code: "09124" },
      { state: "PR", country: "us", postal_code: "00901-1234" }
    ]) {
      const { id } = yield* confirmedSetup(clinic, email)
      yield* expectAnswer(
        completeSetup(clinic, completionBody(id, place)),
        200,
        { status: 200, success: true },
        place.country
      )
    }
  })

  it("200: for a setup intent without a customer the patient's own customer gets the method", function* () {
    const { clinic, email, userId } = yield* clinicWithPatient
    const id = yield* foreignSetup(undefined, { email }, false)
    assert.strictEqual((yield* completeSetup(clinic, completionBody(id))).status, 200)
    const [[, customerId, methodId] = []] = yield* patientMethodsOf(clinic)
    const method = yield* askStripe((stripe) => stripe.paymentMethods.retrieve(methodId ?? "-"))
    assert.strictEqual(method.customer, customerId)
    const customer = yield* askStripe((stripe) => stripe.customers.retrieve(customerId ?? "-"))
    assert.deepInclude(customer, { email, metadata: { organizationId: clinic.organizationId, userId } })
  })

  const setupId = "seti_1"
  const wrong: ReadonlyArray<readonly [string, unknown, string]> = [
    ["no setup id", { shippingAddress: address }, "Gateway setup id must be provided"],
    [
      "setup id null",
      { gatewaySetupID: null, shippingAddress: address },
      "Gateway setup id is not valid: must be a text"
    ],
    ["blank setup id", { gatewaySetupID: " ", shippingAddress: address }, "Gateway setup id must be provided"],
    ["no address", { gatewaySetupID: setupId }, "Shipping address must be provided"],
    [
      "address text",
      { gatewaySetupID: setupId, shippingAddress: "x" },
      "Shipping address is not valid: must be an object"
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
      [`no ${field}`, completionBody(setupId, { [field]: undefined }), `${name} must be provided`] as const,
      [`empty ${field}`, completionBody(setupId, { [field]: "" }), `${name} must be provided`] as const,
      [`blank ${field}`, completionBody(setupId, { [field]: "  " }), `${name} must be provided`] as const,
      [`${field} number`, completionBody(setupId, { [field]: 1 }), `${name} is not valid: must be a text`] as const
    ]),
    ["line2 number", completionBody(setupId, { line2: 1 }), "Shipping address line 2 is not valid: must be a text"],
    [
      "state's name",
      completionBody(setupId, { state: "California" }),
      "Shipping address state is not valid: must be exactly 2 letters"
    ],
    [
      "state of 2 digits",
      completionBody(setupId, { state: "10", country: "GB", postal_code: "SW1A 1AA" }),
      "Shipping address state is not valid: must be exactly 2 letters"
    ],
    [
      "unknown state",
      completionBody(setupId, { state: "ZZ" }),
      "Shipping address state is not valid: must be the 2-letter code of a US state"
    ],
    [
      "province in the US",
      completionBody(setupId, { state: "ON", country: "us", postal_code: "K1A 0B6" }),
      "Shipping address state is not valid: must be the 2-letter code of a US state"
    ],
    [
      "country's name",
      completionBody(setupId, { country: "USA" }),
      "Shipping address country is not valid: must be a 2-letter ISO 3166 country code"
    ],
    [
      "unknown country",
      completionBody(setupId, { country: "ZZ" }),
      "Shipping address country is not valid: must be a 2-letter ISO 3166 country code"
    ],
    [
      "postal code",
      completionBody(setupId, { postal_code: "9410" }),
      "Shipping address postal code is not valid: must be 5 digits, or 5+4 digits"
    ],
    [
      "postal code that is too long",
      completionBody(setupId, { country: "GB", postal_code: "1".repeat(65) }),
      "Shipping address postal code is not valid: must be at most 64 characters long"
    ],
    ["all empty", { shippingAddress: {} }, "Gateway setup id must be provided"],
    ["nothing", {}, "Gateway setup id must be provided"],
    ["a list", [], "body, must be a JSON object"],
    ["unknown setup intent", completionBody(unknownSetup), `No setup intent exists for the id ${unknownSetup}`],
    ["payment intent", completionBody("pi_1"), "No setup intent exists for the id pi_1"]
  ]
  for (const [name, body, error] of wrong) {
    it(`400: ${name}`, function* () {
      yield* expectAnswer(completeSetup(yield* makeClinic, body), 400, refused(error))
    })
  }

  it("400: an unconfirmed setup intent", function* () {
    const { clinic, email } = yield* clinicWithPatient
    const id = yield* newSetup(clinic, email)
    yield* expectAnswer(
      completeSetup(clinic, completionBody(id)),
      400,
      refused(`The setup intent ${id} is not confirmed`)
    )
    assert.deepStrictEqual(yield* savedMethodsOf(clinic), [])
  })

  it("401: a setup intent of another organization, without an email, or with an email of no patient", function* () {
    const { clinic, email } = yield* clinicWithPatient
    const other = yield* clinicWithPatient
    const staff = `staff.${randomUUID()}@example.com`
    yield* addStaff(clinic, { email: staff, role: "SUPPORT" })
    const setups = [
      // The email is a patient's of this organization, but the intent was made for another organization.
      (yield* confirmedSetup(other.clinic, email)).id,
      (yield* confirmedSetup(other.clinic, other.email)).id,
      yield* foreignSetup(other.email),
      yield* foreignSetup("nobody@example.com"),
      yield* foreignSetup(undefined),
      // The intent's own email counts, not its customer's.
      yield* foreignSetup(email, { email: other.email }),
      (yield* confirmedSetup(clinic)).id,
      (yield* confirmedSetup(clinic, staff)).id,
      // Other organizations do not learn whether it is confirmed.
      yield* newSetup(other.clinic, other.email)
    ]
    for (const id of setups) {
      yield* expectAnswer(completeSetup(clinic, completionBody(id)), 401, denied)
    }
    assert.deepStrictEqual(yield* savedMethodsOf(clinic), [])
    assert.deepStrictEqual(yield* savedMethodsOf(other.clinic), [])
  })

  it("409: the key with another body; the same 20 times at once takes effect once", function* () {
    const { clinic, email, userId } = yield* clinicWithPatient
    const { customerId, id, paymentMethodId } = yield* confirmedSetup(clinic, email)
    const headers = { "idempotency-key": randomUUID() }
    const answers = yield* Effect.all(
      Array.from({ length: 20 }, () => completeSetup(clinic, completionBody(id), headers)),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.deepStrictEqual(yield* patientMethodsOf(clinic), [[userId, customerId, paymentMethodId]])
    const { json, status } = yield* completeSetup(clinic, completionBody(id, { city: "Oakland" }), headers)
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

  it("503: while the gateway does not answer", function* () {
    const { clinic, email } = yield* clinicWithPatient
    const { id } = yield* confirmedSetup(clinic, email)
    const stripe = yield* atStripe
    yield* stripe.addTrouble({ method: "GET", path: `/v1/setup_intents/${id}`, times: 2, does: "hangUpBefore" })
    assert.strictEqual((yield* completeSetup(clinic, completionBody(id))).status, 503)
    assert.deepStrictEqual(yield* savedMethodsOf(clinic), [])
    assert.strictEqual((yield* completeSetup(clinic, completionBody(id))).status, 200)
  })
})
