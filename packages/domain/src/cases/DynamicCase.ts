import { Schema, SchemaTransformation } from "effect"
import { BirthDate } from "../auth/Patient.ts"
import { Email } from "../http/Email.ts"
import { JsonAnswer } from "../http/JsonAnswer.ts"
import { Language } from "../http/Language.ts"
import { PhoneNumber } from "../http/PhoneNumber.ts"
import { NonBlank, nonBlankUpTo, Text, textUpTo } from "../http/Text.ts"
import { FormId, QuestionId } from "../Ids.ts"
import { CaseAddress } from "./CaseAddress.ts"
import { maxQuestions, QuestionType } from "./Form.ts"

const DynamicGender = Schema.String.pipe(Schema.decode(SchemaTransformation.toUpperCase())).pipe(
  Schema.decodeTo(Schema.Literals(["MALE", "FEMALE"]))
)

/**
 * A question of a dynamic case with its answer. With a form title, `question`, `type` and `required` are required, and
 * `options` for select types; with a form id, `questionId` is.
 */
export const DynamicQuestion = Schema.Struct({
  questionId: Schema.optional(QuestionId),
  question: Schema.optional(nonBlankUpTo(2000)),
  type: Schema.optional(QuestionType),
  required: Schema.optional(Schema.Boolean),
  answer: Schema.optional(JsonAnswer),
  phi: Schema.optional(Schema.Boolean),
  hint: Schema.optional(textUpTo(2000)),
  placeholder: Schema.optional(textUpTo(2000)),
  options: Schema.optional(Schema.Array(NonBlank))
})
export type DynamicQuestion = typeof DynamicQuestion.Type

const Body = Schema.Struct({
  firstName: nonBlankUpTo(100),
  lastName: nonBlankUpTo(100),
  email: Email,
  dob: Schema.optional(BirthDate),
  gender: Schema.optional(DynamicGender),
  phoneNumber: Schema.optional(PhoneNumber),
  password: Schema.optional(nonBlankUpTo(1000)),
  shippingAddress: Schema.optional(CaseAddress),
  languagePreferences: Schema.optional(Schema.Array(Language)),
  formTitle: Schema.optional(nonBlankUpTo(200)),
  formDescription: Schema.optional(Text),
  formId: Schema.optional(FormId),
  gatewaySetupId: Schema.optional(nonBlankUpTo(255)),
  gatewayPaymentId: Schema.optional(nonBlankUpTo(255)),
  questions: Schema.Array(DynamicQuestion).check(
    Schema.isMinLength(1, { message: "At least one question is required" }),
    Schema.isMaxLength(maxQuestions, { message: `At most ${maxQuestions} questions are possible` })
  )
})

const selects = ["SINGLESELECT", "MULTISELECT"]

const titleBased = (question: DynamicQuestion) => [
  ...(["question", "type", "required"] as const).filter((field) => question[field] === undefined),
  ...(selects.includes(question.type ?? "") && (question.options ?? []).length === 0 ? (["options"] as const) : [])
]

const idBased = (question: DynamicQuestion) => (question.questionId === undefined ? (["questionId"] as const) : [])

const complete = Schema.makeFilter<typeof Body.Type>(({ formId, formTitle, questions }) => {
  if (formTitle === undefined && formId === undefined) {
    return [{ path: ["formTitle"], issue: "formTitle or formId is required" }]
  }
  const missing = formTitle === undefined ? idBased : titleBased
  const seen = new Set<string>()
  return questions.flatMap((question, index) => {
    const id = question.questionId?.toLowerCase()
    const isTwice = id !== undefined && seen.has(id)
    if (id !== undefined) seen.add(id)
    return [
      ...missing(question).map((field) => ({ path: ["questions", index, field], issue: "Required" })),
      ...(isTwice ? [{ path: ["questions", index, "questionId"], issue: "is there twice" }] : [])
    ]
  })
})

/** The body of a dynamic case. `formTitle` wins over `formId`; answers are checked against the type of their question. */
export const CreateDynamicCase = Body.check(complete).annotate({ identifier: "CreateDynamicCase" })
export type CreateDynamicCase = typeof CreateDynamicCase.Type

/** A body of a dynamic case as a partner would send it, for the public document. */
export const dynamicCaseExample = {
  firstName: "Maria",
  lastName: "Lopez",
  email: "maria.lopez@example.com",
  dob: "1988-04-12",
  gender: "female",
  phoneNumber: "+14155552671",
  formTitle: "Weight management intake",
  questions: [
    { question: "How much do you weigh in pounds?", type: "TEXT", required: true, phi: true, answer: "185" },
    { question: "Since when?", type: "DATERANGE", required: false, answer: "January 5, 2024 - indefinite" },
    {
      question: "Which conditions do you have?",
      type: "MULTISELECT",
      required: true,
      options: ["Hypertension", "Diabetes", "None"],
      answer: '["None"]'
    }
  ]
}

const param = nonBlankUpTo(255)

/** A form that is submitted for a case that exists already. */
export const SubmitCaseForm = Schema.Struct({
  caseId: param,
  formTitle: nonBlankUpTo(200),
  formDescription: Schema.optional(Text),
  questions: Schema.Array(
    Schema.Struct({
      questionId: param,
      question: nonBlankUpTo(2000),
      type: param,
      answer: JsonAnswer,
      required: Schema.optional(Schema.Boolean),
      phi: Schema.optional(Schema.Boolean),
      hint: Schema.optional(textUpTo(2000)),
      placeholder: Schema.optional(textUpTo(2000)),
      options: Schema.optional(Schema.Array(Text))
    })
  ).check(
    Schema.isMinLength(1, { message: "Required" }),
    Schema.isMaxLength(maxQuestions, { message: `At most ${maxQuestions} questions are possible` })
  )
})
  .check(
    Schema.makeFilter(({ questions }) =>
      questions.flatMap(({ questionId }, index) =>
        questions.findIndex((other) => other.questionId === questionId) < index
          ? [{ path: ["questions", index, "questionId"], issue: "is there twice" }]
          : []
      )
    )
  )
  .annotate({ identifier: "SubmitCaseForm" })
export type SubmitCaseForm = typeof SubmitCaseForm.Type
