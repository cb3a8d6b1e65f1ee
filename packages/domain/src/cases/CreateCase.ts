import { Schema, SchemaTransformation } from "effect"
import { Gender } from "../auth/Patient.ts"
import { anyCase } from "../http/anyCase.ts"
import { counts, lengths } from "../http/bounds.ts"
import { Email } from "../http/Email.ts"
import { languagesOf } from "../http/Language.ts"
import { listUpTo, optionalListUpTo } from "../http/listUpTo.ts"
import { PhoneNumber } from "../http/PhoneNumber.ts"
import { PostalAddress } from "../http/PostalAddress.ts"
import { missingReason } from "../http/requestInvalid.ts"
import { nonBlankUpTo, optionalUpTo, textUpTo } from "../http/Text.ts"
import { ProductId } from "../Ids.ts"
import { ProviderReference } from "../payments/ProviderReference.ts"
import { maxAnswerLength, optionsOf, questionBounds } from "./Form.ts"
import { VisitType } from "./VisitType.ts"

const User = Schema.Struct({
  firstName: nonBlankUpTo(lengths.name),
  lastName: nonBlankUpTo(lengths.name),
  email: Email,
  phoneNumber: Schema.optional(PhoneNumber),
  dob: Schema.optional(textUpTo(lengths.code)),
  gender: Schema.optional(Gender),
  languagePreferences: languagesOf(textUpTo(lengths.code)),
  shippingAddress: Schema.optional(PostalAddress)
})

// What is negative, too much or too exact is well-formed, and refused when it is acted on.
const Amount = Schema.Finite.check(
  Schema.isBetween({ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE })
).annotate({
  description: "Gross, in major units: not negative, below 1,000,000,000, with no more decimals than its currency has"
})

const promoCode = optionalUpTo(lengths.reference)

const Payment = Schema.Struct({
  amount: Schema.optional(Amount),
  currency: Schema.optional(textUpTo(lengths.code).pipe(Schema.decode(SchemaTransformation.toUpperCase()))),
  description: Schema.optional(textUpTo(lengths.paragraph)),
  status: Schema.optional(textUpTo(lengths.code)),
  promoCode,
  providerReference: Schema.Struct({
    type: ProviderReference.fields.type,
    id: nonBlankUpTo(lengths.reference)
  })
})

/** One question of an intake form with its answer, as case creation takes it. */
export const IntakeQuestion = Schema.Struct({
  question: nonBlankUpTo(lengths.wording),
  answer: textUpTo(maxAnswerLength),
  type: Schema.Literals(["TEXT", "SINGLESELECT", "MULTISELECT"]),
  required: Schema.optional(Schema.Boolean),
  phi: Schema.optional(Schema.Boolean),
  options: optionsOf(textUpTo(lengths.wording))
})
export type IntakeQuestion = typeof IntakeQuestion.Type

const IntakeForm = Schema.Struct({
  title: Schema.optional(textUpTo(lengths.line)),
  description: Schema.optional(textUpTo(lengths.paragraph)),
  questions: optionalListUpTo(IntakeQuestion, questionBounds)
})

const Product = Schema.Struct({
  id: ProductId,
  visitType: Schema.optional(VisitType),
  payment: Schema.optional(Schema.Struct({ promoCode })),
  form: Schema.optional(IntakeForm)
})

const Body = Schema.Struct({
  status: Schema.optional(anyCase(Schema.Literals(["OPEN", "ABANDONED"]))),
  isTest: Schema.optional(Schema.Boolean),
  forceCreate: Schema.optional(Schema.Boolean),
  idempotencyKey: Schema.optional(nonBlankUpTo(lengths.reference)),
  user: User,
  payment: Schema.optional(Payment),
  products: listUpTo(Product, {
    least: "At least one product is required",
    max: counts.products,
    most: `At most ${counts.products} products are possible`
  })
})

// ABANDONED cases are the record of a checkout that was left: less is known of the patient, and nothing is paid yet.
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
 * The body of case creation. `status` and currencies are taken in any letter case; dates and codes are checked when it is
 * acted on.
 */
export const CreateCase = Body.check(requiredUnlessAbandoned).annotate({ identifier: "CreateCase" })
export type CreateCase = typeof CreateCase.Type
