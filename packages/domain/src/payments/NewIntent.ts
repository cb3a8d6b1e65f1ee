import { Schema } from "effect"
import { counts, lengths } from "../http/bounds.ts"
import { Email } from "../http/Email.ts"
import { optionalListUpTo } from "../http/listUpTo.ts"
import { PhoneNumber } from "../http/PhoneNumber.ts"
import { nonBlankUpTo } from "../http/Text.ts"
import { PositiveAmount } from "./Amount.ts"
import { Currency } from "./Currency.ts"
import { amountProblem, defaultCurrency } from "./money.ts"

/** The payer, as far as known before there is a case. */
const Metadata = Schema.Struct({ email: Schema.optional(Email), phone: Schema.optional(PhoneNumber) })

const Intent = Schema.Struct({
  amount: PositiveAmount,
  currency: Schema.optional(Currency),
  paymentMethodTypes: optionalListUpTo(nonBlankUpTo(lengths.code), {
    emptyMessage: "must name at least one type",
    max: counts.paymentMethodTypes,
    tooManyMessage: `must be at most ${counts.paymentMethodTypes} types`
  }),
  metadata: Schema.optional(Metadata)
})

const isExact = Schema.makeFilter<typeof Intent.Type>(({ amount, currency = defaultCurrency }) => {
  const problem = amountProblem(amount, currency)
  return problem === undefined ? [] : [{ path: ["amount"], issue: problem }]
})

/** The body of `POST /api/v1/payments/intent`. */
export const NewPaymentIntent = Intent.check(isExact).annotate({ identifier: "NewPaymentIntent" })
export type NewPaymentIntent = typeof NewPaymentIntent.Type

const Setup = Schema.Struct({ email: Schema.optional(Email), metadata: Schema.optional(Metadata) })

const namesOnePerson = Schema.makeFilter<typeof Setup.Type>(({ email, metadata }) =>
  email === undefined || metadata?.email === undefined || email === metadata.email
    ? []
    : [{ path: ["metadata", "email"], issue: "must be the same as `email`" }]
)

/** The body of `POST /api/v1/payments/setup`. */
export const NewSetupIntent = Setup.check(namesOnePerson).annotate({ identifier: "NewSetupIntent" })
export type NewSetupIntent = typeof NewSetupIntent.Type
