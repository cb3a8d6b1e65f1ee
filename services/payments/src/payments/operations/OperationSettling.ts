import { OrganizationId, PaymentId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Schema } from "effect"

/**
 * Settles an operation whose outcome at the gateway is unknown (`makeSettleOperation`). The job is committed with the operation, before
 * the gateway is called.
 */
export class OperationSettling extends Job.make<OperationSettling>()("payment-operation", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, paymentId: PaymentId, operationId: Schema.String }),
  retries: Job.forThreeDays,
  concurrency: 2
}) {}
