import { Predicate, Record, Schema } from "effect"
import { BirthDate } from "../auth/Patient.ts"
import { lengths } from "../http/bounds.ts"
import { Email } from "../http/Email.ts"
import { JsonAnswer } from "../http/JsonAnswer.ts"
import { PostalAddress } from "../http/KnownAddress.ts"
import { Language, languagesDescription, languagesOf } from "../http/Language.ts"
import { missingReason } from "../http/mistakesIn.ts"
import { PhoneNumber } from "../http/PhoneNumber.ts"
import { isPresent, type JsonObject, readingOnly } from "../http/readingOnly.ts"
import { shownIds } from "../http/shownIds.ts"
import { anyCase, nameUpTo, nonBlankUpTo, textUpTo } from "../http/Text.ts"
import { FormId, QuestionId } from "../Ids.ts"
import { optionsOf, phiDescription, QuestionType, questionsOf } from "./Form.ts"

const withTitle = "Required with `formTitle`; ignored with `formId`"

/**
 * A question of a dynamic case with its answer. With a form title, `question`, `type` and `required` are required, and
 * `options` for select types; with a form id, `questionId` is.
 */
export const DynamicQuestion = Schema.Struct({
  questionId: Schema.optional(QuestionId).annotate({
    description: "Required with `formId`; ignored with `formTitle`"
  }),
  question: Schema.optional(nonBlankUpTo(lengths.wording)).annotate({ description: withTitle }),
  type: Schema.optional(QuestionType).annotate({ description: withTitle }),
  required: Schema.optional(Schema.Boolean).annotate({ description: withTitle }),
  answer: Schema.optional(JsonAnswer),
  phi: Schema.optional(Schema.Boolean).annotate({ description: phiDescription }),
  hint: Schema.optional(textUpTo(lengths.wording)),
  placeholder: Schema.optional(textUpTo(lengths.wording)),
  options: optionsOf(nonBlankUpTo(lengths.wording)).annotate({
    description: "Required with `formTitle` for SINGLESELECT and MULTISELECT"
  })
})
export type DynamicQuestion = typeof DynamicQuestion.Type

const Body = Schema.Struct({
  firstName: nameUpTo(lengths.name),
  lastName: nameUpTo(lengths.name),
  email: Email,
  dob: Schema.optional(BirthDate).annotate({ description: "`YYYY-MM-DD`, not before 1900, not in the future" }),
  gender: Schema.optional(anyCase(Schema.Literals(["MALE", "FEMALE"]))),
  phoneNumber: Schema.optional(PhoneNumber).annotate({ description: "An E.164 phone number" }),
  password: Schema.optional(nonBlankUpTo(lengths.secret)).annotate({
    description: "The password of a patient without one. An existing password is not changed"
  }),
  shippingAddress: Schema.optional(PostalAddress),
  languagePreferences: languagesOf(Language).annotate({ description: languagesDescription }),
  formTitle: Schema.optional(nonBlankUpTo(lengths.line)).annotate({
    description: "`formTitle` or `formId` is required"
  }),
  formDescription: Schema.optional(textUpTo(lengths.paragraph)),
  formId: Schema.optional(FormId).annotate({ description: "Ignored if `formTitle` is sent" }),
  gatewaySetupId: Schema.optional(nonBlankUpTo(lengths.reference)).annotate({
    description: "The id of a confirmed setup intent, `seti_...`"
  }),
  gatewayPaymentId: Schema.optional(nonBlankUpTo(lengths.reference)).annotate({
    description: "The id of a payment intent, `pi_...`"
  }),
  questions: questionsOf(DynamicQuestion)
})

const selects = ["SINGLESELECT", "MULTISELECT"]

const titleBased = (question: DynamicQuestion) => [
  ...(["question", "type", "required"] as const).filter((field) => question[field] === undefined),
  ...(selects.includes(question.type ?? "") && (question.options ?? []).length === 0 ? (["options"] as const) : [])
]

const idBased = (question: DynamicQuestion) => (question.questionId === undefined ? (["questionId"] as const) : [])

// Returns the indexes of questions whose id occurred before.
const repeated = (ids: ReadonlyArray<string | undefined>): ReadonlySet<number> => {
  const seen = new Set<string>()
  const indexes = new Set<number>()
  for (const [index, id] of ids.entries()) {
    if (id === undefined) continue
    if (seen.has(id)) indexes.add(index)
    seen.add(id)
  }
  return indexes
}

const repetitionAt = (index: number) => ({ path: ["questions", index, "questionId"], issue: "is there twice" })

const complete = Schema.makeFilter<typeof Body.Type>(({ formId, formTitle, questions }) => {
  if (formTitle === undefined && formId === undefined) {
    return [{ path: ["formTitle"], issue: "formTitle or formId is required" }]
  }
  const missing = formTitle === undefined ? idBased : titleBased
  const repeatedIndexes = repeated(questions.map(({ questionId }) => questionId))
  return questions.flatMap((question, index) => [
    ...missing(question).map((field) => ({ path: ["questions", index, field], issue: missingReason })),
    ...(repeatedIndexes.has(index) ? [repetitionAt(index)] : [])
  ])
})

type QuestionMembers = (question: JsonObject) => JsonObject

const titleQuestion: QuestionMembers = ({ questionId: _, ...question }) => question
// With a form id, the fields of a question come from the stored form.
const formQuestion: QuestionMembers = Record.filter((_, name) => name === "questionId" || name === "answer")

// With a title, the ids of the form and its questions are ignored. With an id, all other fields of a question are.
const relevant = ({ formId, ...body }: JsonObject): JsonObject => {
  const { questions } = body
  const withQuestions = (members: QuestionMembers): JsonObject =>
    Array.isArray(questions)
      ? {
          ...body,
          questions: questions.map((question: unknown) => (Predicate.isObject(question) ? members(question) : question))
        }
      : body
  if (isPresent(body["formTitle"])) return withQuestions(titleQuestion)
  return isPresent(formId) ? { ...withQuestions(formQuestion), formId } : body
}

/**
 * The body of a dynamic case. `formTitle` wins over `formId`; answers are checked against the type of their question.
 */
export const CreateDynamicCase = readingOnly("CreateDynamicCase", Body.check(complete), relevant)
export type CreateDynamicCase = typeof CreateDynamicCase.Type

/** An example body of a dynamic case, for the public document. */
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

/** An example body with a stored form, for the public document. */
export const idBasedExample = {
  firstName: "Maria",
  lastName: "Lopez",
  email: "maria.lopez@example.com",
  formId: shownIds.form,
  questions: [
    { questionId: "59d87c52-ea79-4cf7-9f99-f6dc575d2671", answer: "185" },
    { questionId: "e65b7142-c134-4167-830a-a1191f4d023c", answer: { startDate: "2024-01-05", endDate: null } },
    { questionId: "d3a5f955-7aa7-4ac7-8124-0d3b209fb904", answer: ["None"] },
    { questionId: "36a3a0c4-96f1-4210-b7df-1cd736f61801", answer: { height: "65", weight: 185, bmi: 30.8 } }
  ]
}

const param = nonBlankUpTo(lengths.reference)

const CaseForm = Schema.Struct({
  key: Schema.optional(textUpTo(lengths.reference)).annotate({
    description: "The API key of the organization. Ignored if the header has a key"
  }),
  caseId: param,
  formTitle: nonBlankUpTo(lengths.line),
  formDescription: Schema.optional(textUpTo(lengths.paragraph)),
  questions: questionsOf(
    Schema.Struct({
      questionId: param,
      question: nonBlankUpTo(lengths.wording),
      type: param,
      answer: JsonAnswer,
      required: Schema.optional(Schema.Boolean),
      phi: Schema.optional(Schema.Boolean),
      hint: Schema.optional(textUpTo(lengths.wording)),
      placeholder: Schema.optional(textUpTo(lengths.wording)),
      options: optionsOf(textUpTo(lengths.wording))
    }),
    missingReason
  )
}).check(
  Schema.makeFilter(({ questions }) =>
    Array.from(repeated(questions.map(({ questionId }) => questionId)), repetitionAt)
  )
)

/** A form that is submitted for an existing case. The gateway reads `key`; a header wins over it. */
export const SubmitCaseForm = readingOnly("SubmitCaseForm", CaseForm, ({ key: _, ...form }) => form)
export type SubmitCaseForm = typeof SubmitCaseForm.Type

/** An example body of a form for an existing case, for the public document. */
export const caseFormExample = {
  caseId: shownIds.case,
  formTitle: "Follow-up after four weeks",
  questions: [
    {
      questionId: "weight",
      question: "How much do you weigh in pounds now?",
      type: "TEXT",
      required: true,
      answer: "179"
    },
    { questionId: "nausea", question: "Did you feel sick?", type: "BOOLEAN", answer: "false" }
  ]
}
