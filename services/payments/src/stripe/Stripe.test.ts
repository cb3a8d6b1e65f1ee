import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId } from "@care/domain/ids"
import { OnTestAccount } from "@care/service-kit"
import { makeStandingClock } from "@care/service-kit/testing"
import { runStripe, stripeControl } from "@care/stand-ins"
import { assert, layer } from "@effect/vitest"
import { Cause, Clock, Effect, Exit, Layer, Metric, Redacted } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import StripeClient from "stripe"
import "../../test/retriesImmediately.ts"
import { Stripe } from "./Stripe.ts"
import { StripeSettings } from "./StripeSettings.ts"

const secretKey = "sk_test_of_the_tests"
const secrets = ["whsec_old", "whsec_new"]

// Each test has its own stand-in and client, whose circuit is closed.
const runOwn = Effect.fnUntraced(function* (key = secretKey) {
  const { url } = yield* runStripe({ port: 0, secretKey })
  const settings = StripeSettings.of({
    live: { url, key: Redacted.make(key), webhookSecrets: secrets.map((secret) => Redacted.make(secret)) },
    test: { url, key: Redacted.make(key), webhookSecrets: [] },
    timeoutMillis: 10_000,
    retries: 1
  })
  const layerOwn = Layer.fresh(Stripe.layer).pipe(Layer.provide(Layer.succeed(StripeSettings, settings)))
  const stripe = yield* Effect.provide(Stripe, layerOwn)
  return { stripe, control: stripeControl({ url, secretKey }) }
})

// Only calls that time out have this limit: a busy machine may take longer for an answer.
const limitFor = (does: string) => (does.startsWith("timeOut") ? { timeout: 300 } : {})

const defectOf = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.exit(effect), (exit) =>
    Exit.isFailure(exit) && Cause.hasDies(exit.cause) ? Cause.squash(exit.cause) : assert.fail("it did not die")
  )

const messageOf = (defect: unknown): string => (defect instanceof Error ? defect.message : String(defect))

layer(layerAuditedDatabase("payments"), { excludeTestServices: true })("Stripe", (it) => {
  it.effect("a refusal has Stripe's code, and does not quote the request", () =>
    Effect.gen(function* () {
      const { stripe } = yield* runOwn()
      const retrieve = stripe.ask(undefined, "retrieve", (client) => client.paymentIntents.retrieve("pi_of_nobody"))
      const { code, message, status } = yield* Effect.flip(retrieve)
      assert.deepStrictEqual({ code, status }, { code: "resource_missing", status: 404 })
      assert.notInclude(message, "pi_of_nobody")
      const declined = stripe.ask(undefined, "create", (client) =>
        client.paymentIntents.create({
          amount: 1000,
          currency: "usd",
          confirm: true,
          payment_method: "pm_card_visa_chargeDeclinedInsufficientFunds",
          automatic_payment_methods: { enabled: true, allow_redirects: "never" }
        })
      )
      const refused = yield* Effect.flip(declined)
      assert.deepStrictEqual(
        [refused.status, refused.code, refused.declineCode],
        [402, "card_declined", "insufficient_funds"]
      )
    })
  )

  for (const does of ["timeOutAfter", "hangUpAfter", "failAfter", "rateLimit"] as const) {
    it.effect(
      `a call that ends in ${does} has an unknown outcome, and takes effect once when it is repeated under its key`,
      () =>
        Effect.gen(function* () {
          const { control, stripe } = yield* runOwn()
          const create = (limit: object) =>
            stripe.ask(undefined, "create", (client) =>
              client.paymentIntents.create(
                { amount: 1000, currency: "usd" },
                { idempotencyKey: "made-beforehand", ...limit }
              )
            )
          yield* control.addTrouble({ path: "/v1/payment_intents", does, times: 2 })
          const defect = yield* defectOf(create(limitFor(does)))
          assert.match(messageOf(defect), /^Stripe (did not answer|answered \d+)$/)
          yield* control.clearTroubles
          yield* Effect.exit(create({}))
          const { data } = yield* stripe.ask(undefined, "list", (client) => client.paymentIntents.list())
          assert.lengthOf(data, 1)
          const keys = new Set((yield* control.requests).map(({ idempotencyKey }) => idempotencyKey))
          assert.isTrue(keys.has("made-beforehand"))
        })
    )
  }

  it.effect("the circuit opens while Stripe does not answer", () =>
    Effect.gen(function* () {
      const { control, stripe } = yield* runOwn()
      yield* control.addTrouble({ path: "/v1/customers", does: "hangUpBefore", times: 100 })
      const list = defectOf(stripe.ask(undefined, "list", (client) => client.customers.list()))
      yield* Effect.repeat(list, { times: 5 })
      assert.isAtMost((yield* control.requests).length, 2 * 3)
      assert.isAbove((yield* control.requests).length, 0)
    }).pipe(Effect.provideService(Clock.Clock, makeStandingClock()))
  )

  for (const does of ["hangUpBefore", "timeOutBefore"] as const) {
    it.effect(`the circuit of one organization (${does}) is open for no other, and for no calls without one`, () =>
      Effect.gen(function* () {
        const { control, stripe } = yield* runOwn()
        const [own, other] = [OrganizationId.make(randomUUID()), OrganizationId.make(randomUUID())]
        yield* control.addTrouble({ path: "/v1/payment_intents/*/capture", does, times: 100 })
        const capture = (client: StripeClient) => client.paymentIntents.capture("pi_of_somebody", {}, limitFor(does))
        const lost = defectOf(stripe.ask(own, "capture", capture))
        yield* Effect.repeat(lost, { times: 5 })
        // Its own calls are refused: the circuit is open.
        assert.lengthOf(yield* control.requests, 2 * 3)
        yield* defectOf(stripe.ask(own, "list", (client) => client.customers.list()))
        for (const organizationId of [other, undefined])
          yield* stripe.ask(organizationId, "list", (client) => client.customers.list())
      }).pipe(Effect.provideService(Clock.Clock, makeStandingClock()))
    )
  }

  for (const does of ["failBefore", "rateLimit"] as const) {
    it.effect(`calls that are answered with ${does} do not open the circuit`, () =>
      Effect.gen(function* () {
        const { control, stripe } = yield* runOwn()
        yield* control.addTrouble({ path: "/v1/payment_intents/*/capture", does, times: 100 })
        const broken = defectOf(
          stripe.ask(undefined, "capture", (client) => client.paymentIntents.capture("pi_of_somebody"))
        )
        const bystander = stripe.ask(undefined, "list", (client) => client.customers.list())
        yield* Effect.repeat(Effect.andThen(broken, broken), { times: 5 })
        yield* bystander
        assert.isAbove((yield* control.requests).filter(({ path }) => path.endsWith("/capture")).length, 10)
      })
    )
  }

  it.effect("calls are counted by their account and outcome", () =>
    Effect.gen(function* () {
      const { control, stripe } = yield* runOwn()
      const list = stripe.ask(undefined, "list", (client) => client.customers.list())
      yield* list
      yield* Effect.exit(stripe.ask(undefined, "retrieve", (client) => client.paymentIntents.retrieve("pi_of_nobody")))
      yield* control.addTrouble({ path: "/v1/customers", does: "failBefore", times: 2 })
      yield* Effect.exit(list)
      yield* control.clearTroubles
      yield* control.addTrouble({ path: "/v1/customers", does: "hangUpBefore", times: 2 })
      yield* Effect.exit(list)
      yield* control.clearTroubles
      yield* Effect.provideService(list, OnTestAccount, true)
      const other = yield* runOwn("sk_test_of_somebody_else")
      yield* Effect.exit(other.stripe.ask(undefined, "list", (client) => client.customers.list()))
      const lines = (yield* PrometheusMetrics.format())
        .split("\n")
        .filter((line) => line.startsWith("stripe_calls_total{"))
      assert.sameMembers(lines, [
        ...["answered", "refused", "failed", "unavailable", "key_refused"].map(
          (outcome) => `stripe_calls_total{mode="live",outcome="${outcome}"} 1`
        ),
        'stripe_calls_total{mode="test",outcome="answered"} 1'
      ])
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect("a refused key is a defect, and is not shown", () =>
    Effect.gen(function* () {
      const { stripe } = yield* runOwn("sk_test_another")
      const message = messageOf(yield* defectOf(stripe.ask(undefined, "list", (client) => client.customers.list())))
      assert.strictEqual(message, "Stripe refused STRIPE_SECRET_KEY")
    })
  )

  it.effect("is not called inside a transaction", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { control, stripe } = yield* runOwn()
      const list = stripe.ask(undefined, "list", (client) => client.customers.list())
      yield* list
      assert.match(messageOf(yield* defectOf(sql.withTransaction(list))), /inside a database transaction/)
      assert.lengthOf(yield* control.requests, 1)
    })
  )

  it.effect("accepts a signature of the raw body by any of the secrets, for 5 minutes", () =>
    Effect.gen(function* () {
      const { signedFor } = (yield* runOwn()).stripe
      const hasSigned = (body: string, header: string) => signedFor(body, header) === "live"
      const signer = new StripeClient("sk_test_nobody")
      const now = Math.floor(Date.now() / 1000)
      const signature = (payload: string, secret: string, timestamp = now) =>
        signer.webhooks.generateTestHeaderString({ payload, secret, timestamp })
      for (const secret of secrets) assert.isTrue(hasSigned("{}", signature("{}", secret)))
      assert.isTrue(hasSigned("not JSON", signature("not JSON", "whsec_new", now - 290)))
      assert.isFalse(hasSigned("{}", signature("{}", "whsec_other")))
      assert.isFalse(hasSigned("{ }", signature("{}", "whsec_new")))
      assert.isFalse(hasSigned("{}", signature("{}", "whsec_new", now - 310)))
      for (const invalid of ["", "t=1", "v1=00", "nonsense"]) assert.isFalse(hasSigned("{}", invalid))
    })
  )
})
