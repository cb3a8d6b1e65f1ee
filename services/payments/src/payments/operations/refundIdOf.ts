import type { PaymentId } from "@care/domain/ids"
import type { GatewayMoney } from "./GatewayMoney.ts"
import { uuidOf } from "./uuidOf.ts"

/**
 * Returns the id of a refund operation: a UUID of the payment, the amount, and the earlier refunds. A repeated request has the same id, so
 * that it is one refund at the gateway, however late the first call arrives. The number of failed refunds is included, because each of
 * them lowers `refunded` again.
 */
export const refundIdOf = (
  paymentId: PaymentId,
  { failedRefunds, refunded }: Pick<GatewayMoney, "failedRefunds" | "refunded">,
  units: number
): string => uuidOf(`refund ${paymentId} ${refunded} ${failedRefunds} ${units}`)
