import { OrganizationId, PaymentId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Schema } from "effect"

/**
 * Finds out what became of an operation that the gateway was asked for, if nobody knows by then. It is committed with the
 * operation, before the gateway is asked; what it does says `makeSettleOperation`.
 */
export class OperationSettling extends Job.make<OperationSettling>()("payment-operation", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, paymentId: PaymentId, operationId: Schema.String }),
  retries: Job.forThreeDays,
  concurrency: 2
}) {}
