import { exponentOf } from "@care/domain/payments"

// Stripe counts these otherwise than ISO 4217 does.
const exceptions: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 }

/** How many decimals of a currency (ISO 4217, capitals) Stripe's smallest unit stands for. */
export const stripeExponent = (currency: string): number => exceptions[currency] ?? exponentOf(currency)
