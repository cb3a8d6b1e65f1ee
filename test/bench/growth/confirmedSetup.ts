import type { Bench } from "../startBench.ts"

/** Makes a setup intent that is confirmed: its id. */
export const confirmedSetup = async ({ stripe }: Bench): Promise<string> => {
  const { id } = await stripe.setupIntents.create({
    payment_method: "pm_card_visa",
    confirm: true,
    return_url: "https://example.com"
  })
  return id
}
