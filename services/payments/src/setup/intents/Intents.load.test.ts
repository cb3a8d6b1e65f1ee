import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId, UserId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { Once } from "@care/once"
import { layerTestCipher } from "@care/phi/testing"
import { PeerUnavailable } from "@care/service-kit"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Option } from "effect"
import { layerTestStripe, makeSetupIntent, TestStripe } from "../../../test/testStripe.ts"
import { SavedMethods } from "../../customers/savedMethods/SavedMethods.ts"
import { Directory } from "../../Directory.ts"
import { PaymentSetups } from "../PaymentSetups.ts"
import { Intents } from "./Intents.ts"

// Whoever has an email is a patient.
const layerDirectory = Layer.mock(Directory, {
  patientWith: (_organizationId, email) =>
    Effect.succeed(email.startsWith("nobody") ? Option.none() : Option.some(UserId.make(email.slice(0, 36))))
})

const layerIntents = Layer.mergeAll(Intents.layer, PaymentSetups.layer, SavedMethods.layer).pipe(
  Layer.provideMerge([layerDirectory, Once.layer, layerTestStripe]),
  Layer.provideMerge(layerIdleJobs),
  Layer.provideMerge([layerAuditedDatabase("payments"), layerTestCipher])
)

interface Asker {
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

// What partners ask for, and the paths at the gateway that each takes.
const requests = {
  "a payment intent of a patient": {
    email: () => `${randomUUID()}@example.com`,
    paths: ["/v1/customers", "/v1/payment_intents"],
    ask: ({ email, key, organizationId }: Asker) =>
      Effect.flatMap(Intents, (intents) =>
        intents.createPayment(organizationId, { amount: 10, ...(email && { metadata: { email } }) }, key)
      )
  },
  "a payment intent of nobody": {
    email: () => undefined,
    paths: ["/v1/payment_intents"],
    ask: ({ key, organizationId }: Asker) =>
      Effect.flatMap(Intents, (intents) => intents.createPayment(organizationId, { amount: 10 }, key))
  },
  "a setup intent of nobody": {
    email: () => undefined,
    paths: ["/v1/customers", "/v1/setup_intents"],
    ask: ({ key, organizationId }: Asker) =>
      Effect.flatMap(Intents, (intents) => intents.createSetup(organizationId, {}, key))
  },
  "a setup intent of an email": {
    email: () => `nobody.${randomUUID()}@example.com`,
    paths: ["/v1/customers", "/v1/setup_intents"],
    ask: ({ email, key, organizationId }: Asker) =>
      Effect.flatMap(Intents, (intents) => intents.createSetup(organizationId, { ...(email && { email }) }, key))
  }
}

// Each of them as its trouble has it: a timeout is the first try's alone.
const troubles = [
  "timeOutBefore",
  "timeOutAfter",
  "hangUpBefore",
  "hangUpAfter",
  "failBefore",
  "failAfter",
  "rateLimit"
] as const

const hasUnknownOutcome = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof PeerUnavailable

// What the gateway has of an organization, of the kind that a path makes.
const madeAt = (path: string, { organizationId }: Asker) =>
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
  for (const [name, { ask, email, paths }] of Object.entries(requests)) {
    for (const path of paths) {
      for (const does of troubles) {
        it.effect(`${name}, ${does} of ${path}: the same key makes it, once`, () =>
          Effect.gen(function* () {
            const { control, withShortTimeout } = yield* TestStripe
            const asker = { organizationId: OrganizationId.make(randomUUID()), email: email(), key: randomUUID() }
            yield* control.addTrouble({ method: "POST", path, does, times: 2 })
            const first = yield* withShortTimeout(Effect.exit(ask(asker)))
            yield* control.clearTroubles
            assert.strictEqual(Exit.isSuccess(first), does.startsWith("fail"))
            if (Exit.isFailure(first)) assert.isTrue(hasUnknownOutcome(first))
            const secret = yield* ask(asker)
            if (Exit.isSuccess(first)) assert.strictEqual(secret, first.value)
            assert.strictEqual(yield* ask(asker), secret)
            for (const made of paths) assert.lengthOf(yield* madeAt(made, asker), 1)
          })
        )
      }

      it.effect(`${name}, failing again and again over ${path}: the same key makes it once the gateway works`, () =>
        Effect.gen(function* () {
          const { control } = yield* TestStripe
          const asker = { organizationId: OrganizationId.make(randomUUID()), email: email(), key: randomUUID() }
          yield* control.addTrouble({ method: "POST", path, does: "failBefore", times: 100 })
          for (let request = 0; request < 3; request += 1)
            assert.isTrue(hasUnknownOutcome(yield* Effect.exit(ask(asker))))
          yield* control.clearTroubles
          yield* ask(asker)
          for (const made of paths) assert.lengthOf(yield* madeAt(made, asker), 1)
        })
      )
    }
  }

  for (const name of ["a payment intent of nobody", "a setup intent of nobody"] as const) {
    it.effect(`${name} is looked for among what was made while it may have been, however much the account makes`, () =>
      Effect.gen(function* () {
        const { control } = yield* TestStripe
        const { ask, paths } = requests[name]
        const path = paths[0] ?? assert.fail()
        const asker = { organizationId: OrganizationId.make(randomUUID()), email: undefined, key: randomUUID() }
        yield* control.addTrouble({ method: "POST", path, does: "failAfter" })
        yield* control.forgetRequests
        yield* ask(asker)
        const looked = (yield* control.requests).filter((request) => request.method === "GET" && request.path === path)
        assert.lengthOf(looked, 1)
        const created = looked[0]?.params["created"]
        const [since, until] = ["gte", "lte"].map((bound) => Number(Reflect.get(Object(created), bound)))
        assert.strictEqual((until ?? 0) - (since ?? 0), 675)
      })
    )
  }

  for (const path of ["/v1/payment_methods", "/v1/payment_methods/*/attach"]) {
    for (const does of troubles) {
      it.effect(`another method of a patient, ${does} of ${path}: the same key saves it, once`, () =>
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
