import { Schema } from "effect"
import { NonBlank, nonBlankUpTo, Text } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { FormId, OrganizationId, QuestionId } from "../Ids.ts"

/** The most questions that a form may have. */
export const maxQuestions = 500

/** The longest text of an answer. Contents of files have limits of their own. */
export const maxAnswerLength = 20_000

/** The types that a question of a form may have. */
export const QuestionType = Schema.Literals([
  "TEXT",
  "BOOLEAN",
  "DATE",
  "DATERANGE",
  "SINGLESELECT",
  "MULTISELECT",
  "FILE",
  "WIDGET_USER_ID_DOCUMENT",
  "WIDGET_BMI",
  "WIDGET_STATE_PICKER",
  "WIDGET_VISIT_TYPE",
  "STATEMENT"
])
export type QuestionType = typeof QuestionType.Type

/** A question of a catalogue form. `phi` marks protected health information in its answers. */
export const FormQuestion = Schema.Struct({
  id: QuestionId,
  question: Schema.String,
  type: QuestionType,
  required: Schema.Boolean,
  phi: Schema.Boolean,
  hint: Schema.String,
  placeholder: Schema.String,
  options: Schema.Array(Schema.String)
})
export type FormQuestion = typeof FormQuestion.Type

/** A form that an organization keeps in its catalogue. */
export class Form extends Schema.Class<Form>("Form")({
  id: FormId,
  organizationId: OrganizationId,
  title: Schema.String,
  description: Schema.NullOr(Schema.String),
  questions: Schema.Array(FormQuestion),
  createdAt: Timestamp
}) {}

const NewQuestion = Schema.Struct({
  question: NonBlank,
  type: QuestionType,
  required: Schema.Boolean,
  phi: Schema.optional(Schema.Boolean),
  hint: Schema.optional(Text),
  placeholder: Schema.optional(Text),
  options: Schema.optional(Schema.Array(NonBlank))
}).check(
  Schema.makeFilter(({ options, type }) =>
    (type === "SINGLESELECT" || type === "MULTISELECT") && (options === undefined || options.length === 0)
      ? { path: ["options"], issue: `Required for ${type}` }
      : undefined
  )
)

/** A new form. Select questions need options. */
export const NewForm = Schema.Struct({
  title: nonBlankUpTo(200),
  description: Schema.optional(Text),
  questions: Schema.Array(NewQuestion).check(
    Schema.isMinLength(1, { message: "At least one question is required" }),
    Schema.isMaxLength(maxQuestions, { message: `At most ${maxQuestions} questions are possible` })
  )
})
export type NewForm = typeof NewForm.Type
