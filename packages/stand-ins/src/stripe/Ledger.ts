import type { EventDelivery } from "../standIn/EventDeliveries.ts"
import { StandInLedger } from "../standIn/StandInLedger.ts"
import type {
  Charge,
  Customer,
  DeletedCustomer,
  Dispute,
  PaymentIntent,
  PaymentMethod,
  Refund,
  SetupIntent,
  StripeEvent,
  TestClock
} from "./objects.ts"
import { unknownObject, unknownParameter } from "./Refusal.ts"

/** The answer to a request with an `Idempotency-Key`. */
export interface StoredAnswer {
  readonly endpoint: string
  /** A hash of the parameters. */
  readonly params: string
  readonly requestId: string
  readonly status: number
  readonly body: unknown
  /** In seconds. */
  readonly created: number
}

/** The objects that requests name by their ids. */
interface Objects {
  readonly customer: Customer
  readonly payment_method: PaymentMethod
  readonly setup_intent: SetupIntent
  readonly payment_intent: PaymentIntent
  readonly charge: Charge
  readonly refund: Refund
  readonly dispute: Dispute
  readonly test_clock: TestClock
  readonly event: StripeEvent
}
export type Kind = keyof Objects

/** The rows of the ledger by their kind: Stripe's objects, and what only the stand-in knows. */
export interface Rows extends Objects {
  readonly deleted_customer: DeletedCustomer
  readonly used_method: { readonly id: string }
  readonly kept_answer: StoredAnswer
  readonly delivery: EventDelivery
}

const nameOf = (kind: Kind): string => (kind === "test_clock" ? "test_helpers.test_clock" : kind)

/** Holds everything that the stand-in knows, in memory and, if there is one, in a file. */
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

  /** Returns the object that a path names, or refuses with 404. */
  at<K extends Kind>(kind: K, id: string): Rows[K] {
    const found = this.get(kind, id)
    if (found === undefined) throw unknownObject(nameOf(kind), id)
    return found
  }

  /** Returns the object that a parameter names, or refuses with 400. */
  named<K extends Kind>(kind: K, id: string, param: string = kind): Rows[K] {
    const found = this.get(kind, id)
    if (found === undefined) throw unknownParameter(nameOf(kind), id, param)
    return found
  }
}
