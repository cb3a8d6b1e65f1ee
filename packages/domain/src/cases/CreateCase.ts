import { Schema, SchemaTransformation } from "effect"
import { Gender } from "../auth/Patient.ts"
import { Email } from "../http/Email.ts"
import { PhoneNumber } from "../http/PhoneNumber.ts"
import { NonBlank, nonBlankUpTo, Text, textUpTo } from "../http/Text.ts"
import { ProductId } from "../Ids.ts"
import { CaseAddress } from "./CaseAddress.ts"
import { maxAnswerLength, maxQuestions } from "./Form.ts"
import { VisitType } from "./VisitType.ts"

const CreationStatus = Schema.String.pipe(Schema.decode(SchemaTransformation.toUpperCase())).pipe(
  Schema.decodeTo(Schema.Literals(["OPEN", "ABANDONED"]))
)

const User = Schema.Struct({
  firstName: nonBlankUpTo(100),
  lastName: nonBlankUpTo(100),
  email: Email,
  phoneNumber: Schema.optional(PhoneNumber),
  dob: Schema.optional(Text),
  gender: Schema.optional(Gender),
  languagePreferences: Schema.optional(Schema.Array(Text)),
  shippingAddress: Schema.optional(CaseAddress)
})

const Payment = Schema.Struct({
  amount: Schema.optional(Schema.Finite),
  currency: Schema.optional(Text),
  description: Schema.optional(Text),
  status: Schema.optional(Text),
  promoCode: Schema.optional(Text),
  providerReference: Schema.Struct({
    type: Schema.Literals(["SETUP_INTENT", "PAYMENT_INTENT", "PAYMENT_TOKEN"]),
    id: NonBlank
  })
})

/** One question of an intake form with its answer, as case creation takes it. */
export const IntakeQuestion = Schema.Struct({
  question: NonBlank,
  answer: textUpTo(maxAnswerLength),
  type: Schema.Literals(["TEXT", "SINGLESELECT", "MULTISELECT"]),
  required: Schema.optional(Schema.Boolean),
  phi: Schema.optional(Schema.Boolean),
  options: Schema.optional(Schema.Array(Text))
})
export type IntakeQuestion = typeof IntakeQuestion.Type

/** A filled-in form of a product. */
export const IntakeForm = Schema.Struct({
  title: Schema.optional(Text),
  description: Schema.optional(Text),
  questions: Schema.optional(
    Schema.Array(IntakeQuestion).check(
      Schema.isMaxLength(maxQuestions, { message: `At most ${maxQuestions} questions are possible` })
    )
  )
})

const Product = Schema.Struct({
  id: ProductId,
  visitType: Schema.optional(VisitType),
  payment: Schema.optional(Schema.Struct({ promoCode: Schema.optional(Text) })),
  form: Schema.optional(IntakeForm)
})

// ABANDONED cases are the record of a checkout that was left: less is known of the patient, and nothing is paid yet.
const requiredUnlessAbandoned = Schema.makeFilter<{
  readonly status?: "OPEN" | "ABANDONED" | undefined
  readonly idempotencyKey?: string | undefined
  readonly user: typeof User.Type
  readonly payment?: typeof Payment.Type | undefined
}>((body) => {
  const missing = (path: ReadonlyArray<string>, value: unknown) =>
    value === undefined ? [{ path, issue: "Required" }] : []
  const { payment, user } = body
  if (body.status === "ABANDONED") {
    return payment?.providerReference.type === "PAYMENT_INTENT" ? missing(["idempotencyKey"], body.idempotencyKey) : []
  }
  return [
    ...missing(["user", "phoneNumber"], user.phoneNumber),
    ...missing(["user", "dob"], user.dob),
    ...(payment === undefined
      ? []
      : [...missing(["payment", "amount"], payment.amount), ...missing(["payment", "currency"], payment.currency)])
  ]
})

/** A body of case creation as a partner would send it, for the public document. */
export const createCaseExample = {
  user: {
    firstName: "Maria",
    lastName: "Lopez",
    email: "maria.lopez@example.com",
    phoneNumber: "+14155552671",
    dob: "1988-04-12",
    gender: "FEMALE",
    shippingAddress: {
      addressLine1: "500 Howard Street",
      city: "San Francisco",
      state: "CA",
      country: "US",
      postalCode: "94105"
    }
  },
  products: [
    {
      id: "3b241101-e2bb-4255-8caf-4136c566a962",
      visitType: "ASYNC_TEXT_EMAIL",
      form: {
        title: "Weight management intake",
        questions: [
          { question: "How much do you weigh in pounds?", answer: "185", type: "TEXT", phi: true },
          { question: "Do you have allergies?", answer: "No", type: "SINGLESELECT", options: ["Yes", "No"] }
        ]
      }
    }
  ]
}

/** The body of case creation. `status` is taken in any letter case; dates and codes are checked when it is acted on. */
export const CreateCase = Schema.Struct({
  status: Schema.optional(CreationStatus),
  isTest: Schema.optional(Schema.Boolean),
  forceCreate: Schema.optional(Schema.Boolean),
  idempotencyKey: Schema.optional(nonBlankUpTo(255)),
  user: User,
  payment: Schema.optional(Payment),
  products: Schema.Array(Product).check(Schema.isMinLength(1, { message: "At least one product is required" }))
})
  .check(requiredUnlessAbandoned)
  .annotate({ identifier: "CreateCase" })
export type CreateCase = typeof CreateCase.Type
