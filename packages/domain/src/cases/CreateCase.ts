import { Schema, SchemaTransformation } from "effect"
import { Gender } from "../auth/Patient.ts"
import { counts, lengths } from "../http/bounds.ts"
import { Email } from "../http/Email.ts"
import { PostalAddress } from "../http/KnownAddress.ts"
import { languagesDescription, languagesOf } from "../http/Language.ts"
import { listUpTo, optionalListUpTo } from "../http/listUpTo.ts"
import { missingReason } from "../http/mistakesIn.ts"
import { PhoneNumber } from "../http/PhoneNumber.ts"
import { anyCase, nameUpTo, nonBlankUpTo, optionalUpTo, textUpTo } from "../http/Text.ts"
import { ProductId } from "../Ids.ts"
import { ProviderReference } from "../payments/ProviderReference.ts"
import { maxAnswerLength, optionsOf, phiDescription, questionBounds } from "./Form.ts"
import { VisitType } from "./VisitType.ts"

const User = Schema.Struct({
  firstName: nameUpTo(lengths.name),
  lastName: nameUpTo(lengths.name),
  email: Email,
  phoneNumber: Schema.optional(PhoneNumber).annotate({
    description: "An E.164 phone number. Required unless the case is ABANDONED"
  }),
  dob: Schema.optional(textUpTo(lengths.code, { format: "date" })).annotate({
    description: "`YYYY-MM-DD`, not in the future (422). Required unless the case is ABANDONED"
  }),
  gender: Schema.optional(Gender),
  languagePreferences: languagesOf(textUpTo(lengths.code)).annotate({
    description: `${languagesDescription}. Other values are refused with 422`
  }),
  shippingAddress: Schema.optional(PostalAddress)
})

// Negative, too large or too exact amounts are well-formed. They are refused when the case is created.
const Amount = Schema.Finite.check(
  Schema.isBetween({ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE })
).annotate({
  description:
    "The gross amount in major units: not negative, below 1,000,000,000, with no more decimals than the currency has. Required in a payment unless the case is ABANDONED"
})

const Currency = textUpTo(lengths.code)
  .annotate({ description: "An ISO 4217 code in any letter case. Required in a payment unless the case is ABANDONED" })
  .pipe(Schema.decode(SchemaTransformation.toUpperCase()))

const Payment = Schema.Struct({
  amount: Schema.optional(Amount),
  currency: Schema.optional(Currency),
  description: Schema.optional(textUpTo(lengths.paragraph)),
  status: Schema.optional(textUpTo(lengths.code)).annotate({
    description:
      "`UNPAID` (the default), or `PAID` with a payment intent that has succeeded at the payment gateway. Other values are refused with 422. Later changes come from the payment gateway"
  }),
  promoCode: optionalUpTo(lengths.reference, {
    description:
      "The code or name of a promo code, in any letter case. It reduces the total amount, and not also a product with the same code. A code that cannot be used is refused with 400"
  }),
  providerReference: Schema.Struct({
    type: ProviderReference.fields.type,
    id: nonBlankUpTo(lengths.reference).annotate({
      description:
        "The id at the payment gateway, without `_secret_` and what follows it: `pi_...`, `seti_...`, `pm_...` or `tok_...`"
    })
  })
})

/** A question of an intake form with its answer, for case creation. */
export const IntakeQuestion = Schema.Struct({
  question: nonBlankUpTo(lengths.wording),
  answer: textUpTo(maxAnswerLength).annotate({
    description:
      "For a select with `options`, one of them; for MULTISELECT also several in one string, separated by commas or semicolons, or a JSON array. May be empty unless `required`"
  }),
  type: Schema.Literals(["TEXT", "SINGLESELECT", "MULTISELECT"]),
  required: Schema.optional(Schema.Boolean),
  phi: Schema.optional(Schema.Boolean).annotate({ description: phiDescription }),
  options: optionsOf(textUpTo(lengths.wording))
})
export type IntakeQuestion = typeof IntakeQuestion.Type

const IntakeForm = Schema.Struct({
  title: Schema.optional(textUpTo(lengths.line)).annotate({ description: "The name of the product by default" }),
  description: Schema.optional(textUpTo(lengths.paragraph)),
  questions: optionalListUpTo(IntakeQuestion, questionBounds)
})

const Product = Schema.Struct({
  id: ProductId,
  visitType: Schema.optional(VisitType).annotate({ description: "`ASYNC_TEXT_EMAIL` by default" }),
  payment: Schema.optional(
    Schema.Struct({
      promoCode: optionalUpTo(lengths.reference, {
        description:
          "A promo code that reduces this product by its discount on the catalogue price. It requires the `payment` of the case, and a price in the same currency (422). A code that `payment` or a previous product already has gives no further discount"
      })
    })
  ),
  form: Schema.optional(IntakeForm)
})

const Body = Schema.Struct({
  status: Schema.optional(anyCase(Schema.Literals(["OPEN", "ABANDONED"]))),
  isTest: Schema.optional(Schema.Boolean).annotate({
    description:
      "Whether it is a test case. A test case is not assigned automatically, causes no email or SMS, is not sent to a pharmacy or the scheduling provider, and its events are sent only to webhook endpoints with `includeTestCases`. Its payments are real"
  }),
  forceCreate: Schema.optional(Schema.Boolean).annotate({
    description:
      "Creates the case even if the patient has one that is OPEN, ASSIGNED or IN_PROGRESS. Otherwise the request is refused with 409"
  }),
  idempotencyKey: Schema.optional(nonBlankUpTo(lengths.reference)).annotate({
    description:
      "The same as the header `Idempotency-Key`, and takes precedence over it. One of them is required for an ABANDONED case with a PAYMENT_INTENT; use a new key for each attempt to pay"
  }),
  user: User,
  payment: Schema.optional(Payment),
  products: listUpTo(Product, {
    emptyMessage: "At least one product is required",
    max: counts.products,
    tooManyMessage: `At most ${counts.products} products are possible`
  })
})

// An ABANDONED case records an unfinished checkout: the patient is known in part, and nothing is paid yet.
const requiredUnlessAbandoned = Schema.makeFilter<typeof Body.Type>(({ payment, status, user }) => {
  const missing = (path: ReadonlyArray<string>, value: unknown) =>
    value === undefined ? [{ path, issue: missingReason }] : []
  if (status === "ABANDONED") return []
  return [
    ...missing(["user", "phoneNumber"], user.phoneNumber),
    ...missing(["user", "dob"], user.dob),
    ...(payment === undefined
      ? []
      : [...missing(["payment", "amount"], payment.amount), ...missing(["payment", "currency"], payment.currency)])
  ]
})

/**
 * The body of case creation. `status` and currencies may have any letter case. Dates and codes are checked when the
 * case is created.
 */
export const CreateCase = Body.check(requiredUnlessAbandoned).annotate({ identifier: "CreateCase" })
export type CreateCase = typeof CreateCase.Type
