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
    description: "In E.164. Required unless the case is ABANDONED"
  }),
  dob: Schema.optional(textUpTo(lengths.code, { format: "date" })).annotate({
    description: "`YYYY-MM-DD`, not in the future (422). Required unless the case is ABANDONED"
  }),
  gender: Schema.optional(Gender),
  languagePreferences: languagesOf(textUpTo(lengths.code)).annotate({
    description: `${languagesDescription} (others: 422)`
  }),
  shippingAddress: Schema.optional(PostalAddress)
})

// Negative, too large or too exact amounts are well-formed. They are refused when the case is created.
const Amount = Schema.Finite.check(
  Schema.isBetween({ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE })
).annotate({
  description:
    "Gross, in major units: not negative, below 1,000,000,000, with no more decimals than its currency has. Required in a payment unless the case is ABANDONED"
})

const Currency = textUpTo(lengths.code)
  .annotate({ description: "ISO 4217, in any letter case. Required in a payment unless the case is ABANDONED" })
  .pipe(Schema.decode(SchemaTransformation.toUpperCase()))

const Payment = Schema.Struct({
  amount: Schema.optional(Amount),
  currency: Schema.optional(Currency),
  description: Schema.optional(textUpTo(lengths.paragraph)),
  status: Schema.optional(textUpTo(lengths.code)).annotate({
    description:
      "`UNPAID`, as without it, or `PAID` with a payment intent that has succeeded, which the gateway is asked: no other word is taken of a new payment (422). The gateway says when it is paid"
  }),
  promoCode: optionalUpTo(lengths.reference, {
    description:
      "Its code or its name, in any letter case: taken off the whole amount, and not off a product that names it, too. One that may not be used: 400"
  }),
  providerReference: Schema.Struct({
    type: ProviderReference.fields.type,
    id: nonBlankUpTo(lengths.reference).annotate({
      description: "The gateway's id, without what follows `_secret_`: `pi_...`, `seti_...`, or `pm_...` or `tok_...`"
    })
  })
})

/** A question of an intake form with its answer, for case creation. */
export const IntakeQuestion = Schema.Struct({
  question: nonBlankUpTo(lengths.wording),
  answer: textUpTo(maxAnswerLength).annotate({
    description:
      "Of a select with `options`, one of them; for MULTISELECT also several in one text, with commas or semicolons between them or as a JSON array. May be empty unless `required`"
  }),
  type: Schema.Literals(["TEXT", "SINGLESELECT", "MULTISELECT"]),
  required: Schema.optional(Schema.Boolean),
  phi: Schema.optional(Schema.Boolean).annotate({ description: phiDescription }),
  options: optionsOf(textUpTo(lengths.wording))
})
export type IntakeQuestion = typeof IntakeQuestion.Type

const IntakeForm = Schema.Struct({
  title: Schema.optional(textUpTo(lengths.line)).annotate({ description: "The name of the product without one" }),
  description: Schema.optional(textUpTo(lengths.paragraph)),
  questions: optionalListUpTo(IntakeQuestion, questionBounds)
})

const Product = Schema.Struct({
  id: ProductId,
  visitType: Schema.optional(VisitType).annotate({ description: "ASYNC_TEXT_EMAIL without one" }),
  payment: Schema.optional(
    Schema.Struct({
      promoCode: optionalUpTo(lengths.reference, {
        description:
          "Lowers this product alone, by what it takes off the price in the catalogue: needs the `payment` of the case, and a price in its currency (422). One that the `payment` or a product before names takes nothing more off"
      })
    })
  ),
  form: Schema.optional(IntakeForm)
})

const Body = Schema.Struct({
  status: Schema.optional(anyCase(Schema.Literals(["OPEN", "ABANDONED"]))),
  isTest: Schema.optional(Schema.Boolean).annotate({
    description:
      "A test: not assigned automatically, nobody gets an email or SMS about it, no pharmacy and no scheduling provider hears of it, and its events go only to webhook endpoints with `includeTestCases`. What is paid for it is real"
  }),
  forceCreate: Schema.optional(Schema.Boolean).annotate({
    description: "Creates the case though the patient has one that is OPEN, ASSIGNED or IN_PROGRESS: else 409"
  }),
  idempotencyKey: Schema.optional(nonBlankUpTo(lengths.reference)).annotate({
    description:
      "The same as the header `Idempotency-Key`, and wins over it. One of them is required for an ABANDONED case with a PAYMENT_INTENT: new for each try to pay"
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
