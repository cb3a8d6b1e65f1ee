import { exponentOf } from "@care/domain/payments"

// Stripe's minor units of these differ from ISO 4217.
const exceptions: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 }

/** Returns the number of decimals of Stripe's minor unit of a currency (ISO 4217, upper case). */
export const stripeExponent = (currency: string): number => exceptions[currency] ?? exponentOf(currency)
