import { createHash } from "node:crypto"
import type StripeClient from "stripe"

/**
 * What tells what is asked for from anything else, as a part of its idempotency key: under one key the gateway refuses to be
 * asked for something else.
 */
export const digestOf = (
  asked: StripeClient.PaymentIntentCreateParams | StripeClient.SetupIntentCreateParams
): string => createHash("sha256").update(JSON.stringify(asked)).digest("hex")
