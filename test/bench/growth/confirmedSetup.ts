import { offsets } from "@care/sandbox"
import StripeClient from "stripe"
import type { Bench } from "../startBench.ts"

/** Makes a setup intent that is confirmed: its id. */
export const confirmedSetup = async ({ port, stripeKey }: Bench): Promise<string> => {
  const client = new StripeClient(stripeKey, { host: "127.0.0.1", port: port + offsets.stripe, protocol: "http" })
  const { id } = await client.setupIntents.create({
    payment_method: "pm_card_visa",
    confirm: true,
    return_url: "https://example.com"
  })
  return id
}
