import type { PaymentId } from "@care/domain/ids"
import type { AtGateway } from "./atGateway.ts"
import { uuidOf } from "./uuidOf.ts"

/**
 * The id of the operation that gives back so many units of a payment after what was given back before: a UUID that is the same
 * for the same refund. So one that is asked for again is one at the gateway, however late the first call gets there. How many
 * refunds failed is a part of it: with each of them `refunded` goes back to what it was.
 */
export const refundIdOf = (
  paymentId: PaymentId,
  { failedRefunds, refunded }: Pick<AtGateway, "failedRefunds" | "refunded">,
  units: number
): string => uuidOf(`refund ${paymentId} ${refunded} ${failedRefunds} ${units}`)
