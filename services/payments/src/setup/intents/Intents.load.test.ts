import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId, UserId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { Once } from "@care/once"
import { layerTestCipher } from "@care/phi/testing"

import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Option } from "effect"
import { hasUnknownOutcome, layerTestStripe, makeSetupIntent, TestStripe } from "../../../test/testStripe.ts"
import { SavedMethods } from "../../customers/savedMethods/SavedMethods.ts"
import { Directory } from "../../Directory.ts"
import { PaymentSetups } from "../PaymentSetups.ts"
import { Intents } from "./Intents.ts"

// Every email is a patient's, unless it begins with `nobody`.
const layerDirectory = Layer.mock(Directory, {
  findPatientByEmail: (_organizationId, email) =>
    Effect.succeed(email.startsWith("nobody") ? Option.none() : Option.some(UserId.make(email.slice(0, 36))))
})

const layerIntents = Layer.mergeAll(Intents.layer, PaymentSetups.layer, SavedMethods.layer).pipe(
  Layer.provideMerge([layerDirectory, Once.layer, layerTestStripe]),
  Layer.provideMerge(layerIdleJobs),
  Layer.provideMerge([layerAuditedDatabase("payments"), layerTestCipher])
)

interface RequestOrigin {
  readonly organizationId: OrganizationId
  readonly email: string | undefined
  readonly key: string
}

const shippingAddress = {
  addressLine1: "1 Main St",
  addressLine2: "",
  city: "Oakland",
  state: "CA",
  country: "US",
  postalCode: "94607"
}

// The requests of partners, and the paths of the gateway that each calls.
const requests = {
  "a payment intent of a patient": {
    email: () => `${randomUUID()}@example.com`,
    paths: ["/v1/customers", "/v1/payment_intents"],
    send: ({ email, key, organizationId }: RequestOrigin) =>
      Effect.flatMap(Intents, (intents) =>
        intents.createPayment(organizationId, { amount: 10, ...(email && { metadata: { email } }) }, key)
      )
  },
  "a payment intent of nobody": {
    email: () => undefined,
    paths: ["/v1/payment_intents"],
    send: ({ key, organizationId }: RequestOrigin) =>
      Effect.flatMap(Intents, (intents) => intents.createPayment(organizationId, { amount: 10 }, key))
  },
  "a setup intent of nobody": {
    email: () => undefined,
    paths: ["/v1/customers", "/v1/setup_intents"],
    send: ({ key, organizationId }: RequestOrigin) =>
      Effect.flatMap(Intents, (intents) => intents.createSetup(organizationId, {}, key))
  },
  "a setup intent of an email": {
    email: () => `nobody.${randomUUID()}@example.com`,
    paths: ["/v1/customers", "/v1/setup_intents"],
    send: ({ email, key, organizationId }: RequestOrigin) =>
      Effect.flatMap(Intents, (intents) => intents.createSetup(organizationId, { ...(email && { email }) }, key))
  }
}

// Every kind of trouble.
const troubles = [
  "timeOutBefore",
  "timeOutAfter",
  "hangUpBefore",
  "hangUpAfter",
  "failBefore",
  "failAfter",
  "rateLimit"
] as const

// Returns the organization's objects at the gateway of the kind that a path creates.
const objectsAt = (path: string, { organizationId }: RequestOrigin) =>
  Effect.flatMap(TestStripe, ({ client }) =>
    Effect.promise(async () => {
      const lists: Readonly<Record<string, typeof client.customers | typeof client.paymentIntents>> = {
        "/v1/customers": client.customers,
        "/v1/payment_intents": client.paymentIntents
      }
      const { data } = await (lists[path] ?? client.setupIntents).list({ limit: 100 })
      return data.filter(({ metadata }) => metadata?.["organizationId"] === organizationId)
    })
  )

layer(layerIntents, { excludeTestServices: true, timeout: "60 seconds" })("Intents in trouble", (it) => {
  for (const [name, { send, email, paths }] of Object.entries(requests)) {
    for (const path of paths) {
      for (const does of troubles) {
        it.effect(`${name}, ${does} of ${path}: the same key creates it once`, () =>
          Effect.gen(function* () {
            const { control, withShortTimeout } = yield* TestStripe
            const origin = { organizationId: OrganizationId.make(randomUUID()), email: email(), key: randomUUID() }
            yield* control.addTrouble({ method: "POST", path, does, times: 2 })
            const first = yield* withShortTimeout(Effect.exit(send(origin)))
            yield* control.clearTroubles
            assert.strictEqual(Exit.isSuccess(first), does.startsWith("fail"))
            if (Exit.isFailure(first)) assert.isTrue(hasUnknownOutcome(first))
            const secret = yield* send(origin)
            if (Exit.isSuccess(first)) assert.strictEqual(secret, first.value)
            assert.strictEqual(yield* send(origin), secret)
            for (const createdPath of paths) assert.lengthOf(yield* objectsAt(createdPath, origin), 1)
          })
        )
      }

      it.effect(
        `${name}, failing again and again at ${path}: the same key creates it as soon as the gateway works`,
        () =>
          Effect.gen(function* () {
            const { control } = yield* TestStripe
            const origin = { organizationId: OrganizationId.make(randomUUID()), email: email(), key: randomUUID() }
            yield* control.addTrouble({ method: "POST", path, does: "failBefore", times: 100 })
            for (let request = 0; request < 3; request += 1)
              assert.isTrue(hasUnknownOutcome(yield* Effect.exit(send(origin))))
            yield* control.clearTroubles
            yield* send(origin)
            for (const createdPath of paths) assert.lengthOf(yield* objectsAt(createdPath, origin), 1)
          })
      )
    }
  }

  for (const name of ["a payment intent of nobody", "a setup intent of nobody"] as const) {
    it.effect(`${name} is searched only among objects of the time in which it may have been created`, () =>
      Effect.gen(function* () {
        const { control } = yield* TestStripe
        const { send, paths } = requests[name]
        const path = paths[0] ?? assert.fail()
        const origin = { organizationId: OrganizationId.make(randomUUID()), email: undefined, key: randomUUID() }
        yield* control.addTrouble({ method: "POST", path, does: "failAfter" })
        yield* control.forgetRequests
        yield* send(origin)
        const searches = (yield* control.requests).filter(
          (request) => request.method === "GET" && request.path === path
        )
        assert.lengthOf(searches, 1)
        const created = searches[0]?.params["created"]
        const [since, until] = ["gte", "lte"].map((bound) => Number(Reflect.get(Object(created), bound)))
        assert.strictEqual((until ?? 0) - (since ?? 0), 675)
      })
    )
  }

  for (const path of ["/v1/payment_methods", "/v1/payment_methods/*/attach"]) {
    for (const does of troubles) {
      it.effect(`another method of a patient, ${does} of ${path}: the same key saves it once`, () =>
        Effect.gen(function* () {
          const { client, control, withShortTimeout } = yield* TestStripe
          const organizationId = OrganizationId.make(randomUUID())
          const userId = UserId.make(randomUUID())
          const setup = yield* makeSetupIntent(organizationId)
          const key = randomUUID()
          const update = Effect.flatMap(PaymentSetups, (setups) =>
            setups.updateInfo(
              organizationId,
              {
                email: `${userId}@example.com`,
                gatewaySetupId: setup.id,
                gatewayPaymentToken: "tok_mastercard",
                shippingAddress
              },
              key
            )
          )
          yield* control.addTrouble({ method: "POST", path, does, times: 2 })
          const first = yield* withShortTimeout(Effect.exit(update))
          yield* control.clearTroubles
          assert.strictEqual(Exit.isSuccess(first), does.startsWith("fail"))
          if (Exit.isFailure(first)) assert.isTrue(hasUnknownOutcome(first))
          yield* update
          const saved = yield* Effect.flatMap(SavedMethods, (methods) => methods.find(organizationId, userId))
          const customer = String(setup.customer)
          const { data } = yield* Effect.promise(() => client.paymentMethods.list({ customer }))
          const brands = data.map(({ card, id }) => [card?.brand, id])
          const [added] = brands.filter(([brand]) => brand === "mastercard")
          assert.lengthOf(brands, 2)
          assert.deepStrictEqual(
            saved,
            Option.some({ customerId: customer, paymentMethodId: added?.[1] ?? assert.fail("no method is added") })
          )
        })
      )
    }
  }
})
