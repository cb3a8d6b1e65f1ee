import { paymentReplica } from "@care/domain/payments"
import { Replication } from "@care/replicas"
import { Effect } from "effect"
import { makePaymentsRepo } from "./PaymentsRepo.ts"

/** Replicates payments to cases. A prepared payment is replicated when it has a case. */
export class PaymentReplication extends Replication.make<PaymentReplication>()(
  "payment-replication",
  paymentReplica,
  Effect.map(makePaymentsRepo, ({ snapshots }) => snapshots)
) {}
