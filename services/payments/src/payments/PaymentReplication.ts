import { paymentReplica } from "@care/domain/payments"
import { Replication } from "@care/replicas"
import { Effect } from "effect"
import { makePaymentsRepo } from "./PaymentsRepo.ts"

/** Tells cases the status of a payment. A prepared payment has no case yet: cases is told of it when there is one. */
export class PaymentReplication extends Replication.make<PaymentReplication>()(
  "payment-replication",
  paymentReplica,
  Effect.map(makePaymentsRepo, ({ snapshots }) => snapshots)
) {}
