import { createHash } from "node:crypto"
import type { PaymentId } from "@care/domain/ids"
import type { AtGateway } from "./atGateway.ts"

/**
 * The id of the operation that gives back so many units of a payment after what was given back before: a UUID that is the same
 * for the same refund. So one that is asked for again is one at the gateway, however late the first call gets there.
 */
export const refundIdOf = (paymentId: PaymentId, { refunded }: Pick<AtGateway, "refunded">, units: number): string => {
  const hash = createHash("sha256").update(`refund ${paymentId} ${refunded} ${units}`).digest("hex")
  // Version 8 of RFC 9562: of our own making.
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5")
}
