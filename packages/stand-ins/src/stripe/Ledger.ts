import type { Delivery } from "../standIn/Deliveries.ts"
import { StandInLedger } from "../standIn/StandInLedger.ts"
import type { Charge } from "./Charge.ts"
import type { Customer, DeletedCustomer } from "./Customer.ts"
import type { Dispute } from "./Dispute.ts"
import type { KeptAnswer } from "./KeptAnswer.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"
import type { PaymentMethod } from "./PaymentMethod.ts"
import type { Refund } from "./Refund.ts"
import type { SetupIntent } from "./SetupIntent.ts"
import type { StripeEvent } from "./StripeEvent.ts"
import type { TestClock } from "./TestClock.ts"

/** What is kept, by its kind: what Stripe shows, and what only the stand-in knows. */
export interface Rows {
  readonly customer: Customer
  readonly deleted_customer: DeletedCustomer
  readonly payment_method: PaymentMethod
  readonly setup_intent: SetupIntent
  readonly payment_intent: PaymentIntent
  readonly charge: Charge
  readonly refund: Refund
  readonly dispute: Dispute
  readonly test_clock: TestClock
  readonly event: StripeEvent
  readonly used_method: { readonly id: string }
  readonly kept_answer: KeptAnswer
  readonly delivery: Delivery
}

export type Kind = keyof Rows

/** All that the stand-in knows, in memory, and in a file if there is one. */
export class Ledger extends StandInLedger<Rows> {
  constructor(file: string | undefined) {
    super(
      {
        customer: new Map(),
        deleted_customer: new Map(),
        payment_method: new Map(),
        setup_intent: new Map(),
        payment_intent: new Map(),
        charge: new Map(),
        refund: new Map(),
        dispute: new Map(),
        test_clock: new Map(),
        event: new Map(),
        used_method: new Map(),
        kept_answer: new Map(),
        delivery: new Map()
      },
      file
    )
  }
}
