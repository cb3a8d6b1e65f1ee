import { Layer } from "effect"
import { PaymentIntents } from "../../stripe/index.ts"
import { Payments } from "../Payments.ts"
import { AdminPayments } from "./AdminPayments.ts"
import { OperationsHandlers, PaymentLookupHandlers } from "./http.ts"
import { makeSettleOperation } from "./makeSettleOperation.ts"
import { OperationSettling } from "./OperationSettling.ts"
import { Operations } from "./Operations.ts"
import { PendingOperations } from "./PendingOperations.ts"

/** The operators' view of payments and operations on them, with the job that settles unknown outcomes. */
export const OperationsFeature = Layer.mergeAll(
  PaymentLookupHandlers.pipe(Layer.provide(AdminPayments.layer)),
  OperationsHandlers.pipe(Layer.provide([AdminPayments.layer, Operations.layer])),
  OperationSettling.worker(makeSettleOperation).pipe(Layer.provide([Payments.layer, PendingOperations.layer]))
).pipe(Layer.provide(PaymentIntents.layer))
