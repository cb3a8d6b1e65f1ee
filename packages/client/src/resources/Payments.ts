import type { CallOptions } from "../CallOptions.ts"
import type { PaymentOfCase } from "../generated.ts"
import { Pages } from "../Pages.ts"
import type { Transport } from "../Transport.ts"
import type { AnswerOf, BodyOf, QueryOf } from "./operationTypes.ts"

/** Payments of cases. */
export class Payments {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Makes a payment of a case. `preauthorize` holds the amount until a decision.
   *
   * @example
   * ```ts
   * const { data } = await care.payments.create(caseId, { amount: 49.5, description: "Second month" })
   * console.log(data.result.status)
   * ```
   */
  create(
    caseId: string,
    body: BodyOf<"newPayments.create">,
    options?: CallOptions
  ): Promise<AnswerOf<"newPayments.create">> {
    return this.#transport.send("newPayments.create", { params: { caseId }, body }, options)
  }

  /**
   * Lists the payments of a case.
   *
   * @example
   * ```ts
   * for await (const payment of care.payments.list(caseId)) console.log(payment.status)
   * ```
   */
  list(
    caseId: string,
    query: QueryOf<"paymentReading.list"> = {},
    options?: CallOptions
  ): Pages<PaymentOfCase, AnswerOf<"paymentReading.list">> {
    return new Pages((cursor) =>
      this.#transport.send(
        "paymentReading.list",
        { params: { caseId }, query: { ...query, cursor: cursor ?? query.cursor } },
        options
      )
    )
  }

  /**
   * Returns a payment of a case.
   *
   * @example
   * ```ts
   * const { data } = await care.payments.retrieve(caseId, paymentId)
   * console.log(data.status)
   * ```
   */
  retrieve(caseId: string, paymentId: string, options?: CallOptions): Promise<AnswerOf<"paymentReading.get">> {
    return this.#transport.send("paymentReading.get", { params: { caseId, paymentId } }, options)
  }

  /**
   * Makes a payment intent, for a card that the patient enters.
   *
   * @example
   * ```ts
   * const { data } = await care.payments.createIntent({ amount: 49.5, metadata: { email: patientEmail } })
   * console.log(data.paymentIntentSecret.length)
   * ```
   */
  createIntent(
    body: BodyOf<"intents.createPaymentIntent">,
    options?: CallOptions
  ): Promise<AnswerOf<"intents.createPaymentIntent">> {
    return this.#transport.send("intents.createPaymentIntent", { body }, options)
  }

  /**
   * Makes a setup intent, to save a card for later.
   *
   * @example
   * ```ts
   * const { data } = await care.payments.createSetup({ email: patientEmail })
   * console.log(data.setupIntentSecret.length)
   * ```
   */
  createSetup(
    body: BodyOf<"intents.createSetupIntent">,
    options?: CallOptions
  ): Promise<AnswerOf<"intents.createSetupIntent">> {
    return this.#transport.send("intents.createSetupIntent", { body }, options)
  }

  /**
   * Saves the payment method of a confirmed setup intent.
   *
   * @example
   * ```ts
   * await care.payments.completeSetup({
   *   gatewaySetupID: setupId,
   *   shippingAddress: {
   *     line1: "500 Howard Street",
   *     city: "San Francisco",
   *     state: "CA",
   *     country: "US",
   *     postal_code: "94105"
   *   }
   * })
   * ```
   */
  completeSetup(
    body: BodyOf<"paymentSetup.completeSetup">,
    options?: CallOptions
  ): Promise<AnswerOf<"paymentSetup.completeSetup">> {
    return this.#transport.send("paymentSetup.completeSetup", { body }, options)
  }

  /**
   * Records a payment that was made elsewhere.
   *
   * @example
   * ```ts
   * await care.payments.confirm({
   *   caseId,
   *   amount: 49.5,
   *   paymentDate: "2026-05-01",
   *   status: "PAID",
   *   validUntil: "2026-06-01"
   * })
   * ```
   */
  confirm(
    body: BodyOf<"paymentConfirmations.confirmPayment">,
    options?: CallOptions
  ): Promise<AnswerOf<"paymentConfirmations.confirmPayment">> {
    return this.#transport.send("paymentConfirmations.confirmPayment", { body }, options)
  }
}
