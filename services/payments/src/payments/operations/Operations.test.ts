import { randomUUID } from "node:crypto"
import { PaymentId } from "@care/domain/ids"
import {
  PaymentAmountTooHigh,
  PaymentNotAtGateway,
  PaymentNotFound,
  PaymentOperationPending,
  type PaymentStatus,
  PaymentStatusConflict
} from "@care/domain/payments"
import { PeerUnavailable } from "@care/service-kit"
import { assert, layer } from "@effect/vitest"
import { Cause, Duration, Effect, Exit } from "effect"
import { authorizedPayment } from "../../../test/authorizedPayment.ts"
import { newPatient } from "../../../test/newPatient.ts"
import { capture, layerOperations, refund, release, row, settle, shown } from "../../../test/operations.ts"
import { TestStripe } from "../../../test/testStripe.ts"
import { stateOfIntent, stateOfRefund } from "../../stripe/intentStateOf.ts"
import { PaymentIntents, RefundFailed } from "../../stripe/PaymentIntents.ts"
import { Payments } from "../Payments.ts"
import { PendingOperations } from "./PendingOperations.ts"
import { refundIdOf } from "./refundIdOf.ts"

type AuthorizedPayment = Effect.Success<ReturnType<typeof authorizedPayment>>

layer(layerOperations, { excludeTestServices: true, timeout: "60 seconds" })("Operations", (it) => {
  const requestsTo = (end: string) =>
    Effect.flatMap(TestStripe, ({ control }) =>
      Effect.map(control.requests, (all) => all.filter(({ method, path }) => method === "POST" && path.endsWith(end)))
    )
  const forgetRequests = Effect.flatMap(TestStripe, ({ control }) => control.forgetRequests)

  it.effect("an authorized amount is captured, whole or in part", () =>
    Effect.gen(function* () {
      const whole = yield* authorizedPayment()
      yield* capture(whole)
      const { gateway, ...shownPayment } = yield* shown(whole)
      assert.deepInclude(shownPayment, { status: "PAID", amount: 299.99, operation: null, description: "Second month" })
      assert.deepInclude(gateway, { amount: 299.99, currency: "USD", received: 299.99, refunded: 0 })

      const part = yield* authorizedPayment("1500", "JPY")
      yield* capture(part, 400)
      assert.deepInclude((yield* shown(part)).gateway, { amount: 1500, currency: "JPY", received: 400, refunded: 0 })
    })
  )

  it.effect("an amount whose refund failed can be refunded again", () =>
    Effect.gen(function* () {
      const payment = yield* authorizedPayment("10")
      const { client, control } = yield* TestStripe
      const payments = yield* Payments
      yield* capture(payment)
      yield* refund(payment)
      const { intentId } = yield* row(payment)
      const { data } = yield* Effect.promise(() => client.refunds.list({ payment_intent: intentId ?? "" }))
      for (const { id } of data) {
        yield* control.failRefund(id)
        const update = stateOfRefund(yield* Effect.promise(() => client.refunds.retrieve(id)))
        if (update !== undefined) yield* payments.observe(update)
      }
      assert.deepInclude(yield* shown(payment), { status: "PAID" })

      yield* refund(payment)
      const { gateway, status } = yield* shown(payment)
      assert.deepStrictEqual([status, gateway?.refunded], ["REFUND", 10])
      assert.instanceOf(yield* Effect.flip(refund(payment)), PaymentAmountTooHigh)
    })
  )

  const refundsOf = Effect.fnUntraced(function* (payment: AuthorizedPayment) {
    const { client } = yield* TestStripe
    const { intentId } = yield* row(payment)
    return (yield* Effect.promise(() => client.refunds.list({ payment_intent: intentId ?? "" }))).data
  })
  const failRefund = Effect.fnUntraced(function* (id: string, isHeard = true) {
    const { client, control } = yield* TestStripe
    yield* control.failRefund(id)
    const update = stateOfRefund(yield* Effect.promise(() => client.refunds.retrieve(id)))
    if (isHeard && update !== undefined) yield* (yield* Payments).observe(update)
  })

  it.effect("a refund after a failed one is another refund, even if the total of earlier refunds is the same", () =>
    Effect.gen(function* () {
      const payment = yield* authorizedPayment("20")
      yield* capture(payment)
      yield* refund(payment, 5, 0)
      const [first] = yield* refundsOf(payment)
      yield* refund(payment, 5, 5)
      yield* failRefund(first?.id ?? "")
      assert.deepInclude((yield* shown(payment)).gateway, { refunded: 5 })
      yield* refund(payment, 5, 5)
      assert.lengthOf(yield* refundsOf(payment), 3)
      assert.deepInclude((yield* shown(payment)).gateway, { refunded: 10 })
    })
  )

  it.effect("a late first call refunds nothing when its refund has failed and was made again", () =>
    Effect.gen(function* () {
      const payment = yield* authorizedPayment("20")
      const { organizationId } = payment
      const { control } = yield* TestStripe
      yield* capture(payment)
      const money = { refunded: 0, failedRefunds: 0 }
      const operationId = refundIdOf(payment.id, money, 500)
      // The first call is on its way while a job finds that nothing happened.
      yield* control.addTrouble({ method: "POST", path: "/v1/refunds", does: "hangUpBefore", times: 2 })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(refund(payment, 5, 0))))
      yield* control.clearTroubles
      assert.strictEqual((yield* row(payment)).operationId, operationId)
      yield* settle(payment)
      yield* refund(payment, 5, 0)
      const [first] = yield* refundsOf(payment)
      yield* failRefund(first?.id ?? "")
      yield* refund(payment, 5, 0)
      const intentId = (yield* row(payment)).intentId ?? ""
      const intents = yield* PaymentIntents
      const late = intents.refund({ organizationId, intentId, operationId, paymentId: payment.id }, 500)
      assert.instanceOf(yield* Effect.flip(late), RefundFailed)
      assert.lengthOf(yield* refundsOf(payment), 2)
      assert.deepInclude((yield* shown(payment)).gateway, { refunded: 5 })
    })
  )

  it.effect("a refund whose response and failure event were lost ends, and a repetition is another refund", () =>
    Effect.gen(function* () {
      const payment = yield* authorizedPayment("20")
      const { control } = yield* TestStripe
      yield* capture(payment)
      yield* control.addTrouble({ method: "POST", path: "/v1/refunds", does: "hangUpAfter", times: 2 })
      yield* Effect.exit(refund(payment, 5, 0))
      yield* control.clearTroubles
      const [first] = yield* refundsOf(payment)
      yield* failRefund(first?.id ?? "", false)
      yield* settle(payment)
      const exit = yield* Effect.exit(refund(payment, 5, 0))
      assert.instanceOf(Exit.isFailure(exit) && Cause.squash(exit.cause), PeerUnavailable)
      assert.deepInclude(yield* shown(payment), { status: "PAID", operation: null })
      yield* refund(payment, 5, 0)
      assert.lengthOf(yield* refundsOf(payment), 2)
      assert.deepInclude((yield* shown(payment)).gateway, { refunded: 5 })
    })
  )

  it.effect("an authorization is released", () =>
    Effect.gen(function* () {
      const payment = yield* authorizedPayment()
      yield* release(payment)
      assert.deepInclude(yield* shown(payment), { status: "CANCELED", operation: null })
      assert.strictEqual((yield* payment.intents)[0]?.status, "canceled")
    })
  )

  it.effect("the captured amount is refunded in parts, and then the rest", () =>
    Effect.gen(function* () {
      const payment = yield* authorizedPayment("10.500", "KWD")
      yield* capture(payment, 8)
      yield* refund(payment, 1.25)
      const first = yield* shown(payment)
      assert.strictEqual(first.status, "REFUND")
      assert.deepInclude(first.gateway, { received: 8, refunded: 1.25 })
      yield* refund(payment)
      assert.deepInclude((yield* shown(payment)).gateway, { received: 8, refunded: 8 })
      assert.deepInclude(yield* Effect.flip(refund(payment)), { _tag: "PaymentAmountTooHigh", most: "0 KWD" })
    })
  )

  it.effect("an amount that is too high, or has too many decimals, is refused before the gateway is called", () =>
    Effect.gen(function* () {
      const payment = yield* authorizedPayment("10")
      yield* forgetRequests
      assert.deepInclude(yield* Effect.flip(capture(payment, 10.01)), { _tag: "PaymentAmountTooHigh", most: "10 USD" })
      assert.propertyVal(yield* Effect.flip(capture(payment, 0.001)), "reason", "must have at most 2 decimals in USD")
      assert.isEmpty(yield* requestsTo("/capture"))
      yield* capture(payment)
      assert.deepInclude(yield* Effect.flip(refund(payment, 11)), { _tag: "PaymentAmountTooHigh", most: "10 USD" })
      assert.isEmpty(yield* requestsTo("/refunds"))
      assert.strictEqual((yield* shown(payment)).status, "PAID")
    })
  )

  it.effect("an operation needs an existing payment at the gateway, in one of its statuses", () =>
    Effect.gen(function* () {
      const payment = yield* authorizedPayment()
      const conflict = (needed: ReadonlyArray<PaymentStatus>, status: PaymentStatus) => ({
        _tag: "PaymentStatusConflict" as const,
        needed,
        status
      })
      assert.deepInclude(yield* Effect.flip(refund(payment)), conflict(["PAID", "REFUND"], "AUTHORIZED"))
      yield* capture(payment)
      assert.deepInclude(yield* Effect.flip(capture(payment)), conflict(["AUTHORIZED"], "PAID"))
      assert.deepInclude(yield* Effect.flip(release(payment)), conflict(["AUTHORIZED"], "PAID"))

      const nobody = { ...payment, id: PaymentId.make(randomUUID()) }
      assert.instanceOf(yield* Effect.flip(capture(nobody)), PaymentNotFound)
      const { caseId, organizationId, userId } = yield* newPatient()
      const elsewhere = yield* Effect.flatMap(Payments, (payments) =>
        payments.add({
          organizationId,
          id: PaymentId.make(randomUUID()),
          caseId,
          userId,
          productId: null,
          isInitial: false,
          isPrepared: false,
          status: "UNPAID",
          currency: "USD",
          grossAmount: "1",
          discount: null,
          amount: "1",
          description: null,
          providerReferenceType: null,
          providerReferenceId: null,
          intentId: null
        })
      )
      assert.instanceOf(yield* Effect.flip(capture({ ...payment, id: elsewhere.id })), PaymentNotAtGateway)
    })
  )

  it.effect("of 20 concurrent captures one reaches the gateway, and the others are refused", () =>
    Effect.gen(function* () {
      const payment = yield* authorizedPayment()
      yield* forgetRequests
      const exits = yield* Effect.all(
        Array.from({ length: 20 }, (_, index) => Effect.exit(index % 3 === 0 ? release(payment) : capture(payment))),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(exits.filter(Exit.isSuccess), 1)
      for (const exit of exits.filter(Exit.isFailure)) {
        const error = Cause.squash(exit.cause)
        assert.isTrue(error instanceof PaymentOperationPending || error instanceof PaymentStatusConflict)
      }
      assert.lengthOf([...(yield* requestsTo("/capture")), ...(yield* requestsTo("/cancel"))], 1)
    })
  )

  it.effect("20 concurrent refunds of a part refund it once", () =>
    Effect.gen(function* () {
      const payment = yield* authorizedPayment("10")
      yield* capture(payment)
      const exits = yield* Effect.all(
        Array.from({ length: 20 }, () => Effect.exit(refund(payment, 6))),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(exits.filter(Exit.isSuccess), 1)
      assert.deepInclude((yield* shown(payment)).gateway, { received: 10, refunded: 6 })
    })
  )

  it.effect("repeated refunds of a part with the total of earlier refunds refund it once", () =>
    Effect.gen(function* () {
      const payment = yield* authorizedPayment("10")
      yield* capture(payment)
      for (const [before, most] of [
        [0, "2.5 USD"],
        [2.5, "5 USD"]
      ] as const) {
        const exits = yield* Effect.all(
          Array.from({ length: 20 }, () => Effect.exit(refund(payment, 2.5, before))),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(exits.filter(Exit.isSuccess), 1)
        const again = yield* Effect.flip(refund(payment, 2.5, before))
        assert.deepInclude(again, { _tag: "PaymentRefundedOtherwise", refunded: most })
      }
      assert.deepInclude((yield* shown(payment)).gateway, { received: 10, refunded: 5 })
      // Without the total a repetition is another refund.
      yield* refund(payment, 2.5)
      assert.deepInclude((yield* shown(payment)).gateway, { received: 10, refunded: 7.5 })
    })
  )

  it.effect("the gateway refuses an operation on a canceled intent, and the payment is CANCELED from then on", () =>
    Effect.gen(function* () {
      const payment = yield* authorizedPayment()
      const { client } = yield* TestStripe
      const { intentId } = yield* row(payment)
      yield* Effect.promise(() => client.paymentIntents.cancel(intentId ?? ""))
      const refused = yield* Effect.flip(capture(payment))
      assert.deepInclude(refused, { _tag: "GatewayRefused", code: "payment_intent_unexpected_state" })
      assert.deepInclude(yield* shown(payment), { status: "CANCELED", operation: null })
    })
  )

  it.effect("the expiry of an authorization is the gateway's for each card", () =>
    Effect.gen(function* () {
      for (const [card, days] of [
        ["pm_card_visa", 4.75],
        ["pm_card_mastercard", 7]
      ] as const) {
        const payment = yield* authorizedPayment("10", "USD", card)
        const { createdAt, gateway } = yield* shown(payment)
        const heldDays = ((gateway?.captureBefore?.getTime() ?? 0) - createdAt.getTime()) / Duration.toMillis("1 day")
        assert.closeTo(heldDays, days, 0.001)
      }
    })
  )

  it.effect("the event of a canceled intent changes the payment's status", () =>
    Effect.gen(function* () {
      const payment = yield* authorizedPayment()
      const { client } = yield* TestStripe
      const payments = yield* Payments
      const { intentId } = yield* row(payment)
      const canceled = yield* Effect.promise(() => client.paymentIntents.cancel(intentId ?? ""))
      yield* payments.observe(stateOfIntent(canceled, 1))
      assert.strictEqual((yield* shown(payment)).status, "CANCELED")
    })
  )

  it.effect("while the gateway does not answer the job fails, and the operation stays pending", () =>
    Effect.gen(function* () {
      const payment = yield* authorizedPayment()
      const { control } = yield* TestStripe
      yield* control.addTrouble({ path: "/v1/payment_intents/*/capture", does: "hangUpAfter", times: 2 })
      yield* Effect.exit(capture(payment))
      yield* control.addTrouble({ method: "GET", path: "/v1/payment_intents/*", does: "hangUpBefore", times: 2 })
      const exit = yield* Effect.exit(settle(payment))
      assert.instanceOf(Exit.isFailure(exit) && Cause.squash(exit.cause), PeerUnavailable)
      assert.strictEqual((yield* shown(payment)).operation?.name, "CAPTURE")
      yield* settle(payment)
      assert.deepInclude(yield* shown(payment), { status: "PAID", operation: null })
    })
  )

  it.effect("the job and a late response settle the same operation once, and never the next one", () =>
    Effect.gen(function* () {
      const payment = yield* authorizedPayment("10")
      const pending = yield* PendingOperations
      const { control } = yield* TestStripe
      yield* control.addTrouble({ path: "/v1/payment_intents/*/capture", does: "hangUpAfter", times: 2 })
      yield* Effect.exit(capture(payment))
      const { operationId } = yield* row(payment)
      const first = { organizationId: payment.organizationId, paymentId: payment.id, operationId: operationId ?? "" }
      yield* Effect.all([settle(payment), settle(payment)], { concurrency: "unbounded" })
      assert.strictEqual((yield* shown(payment)).status, "PAID")

      yield* control.addTrouble({ path: "/v1/refunds", does: "hangUpBefore", times: 2 })
      yield* Effect.exit(refund(payment))
      yield* pending.settle(first, undefined)
      assert.strictEqual((yield* shown(payment)).operation?.name, "REFUND")
    })
  )
})
