import { Schema } from "effect"
import { counts, lengths } from "../http/bounds.ts"
import { atMost, listUpTo, optionalListUpTo } from "../http/listUpTo.ts"
import { nonBlankUpTo, textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { FormId, OrganizationId, QuestionId } from "../Ids.ts"

/** The maximum length of an answer's text. Contents of files have their own limits. */
export const maxAnswerLength = lengths.page

export const questionBounds = {
  max: counts.questions,
  tooManyMessage: `At most ${counts.questions} questions are possible`
}

/** The description of `phi` in the public document. */
export const phiDescription = "The answer is protected health information"

/** The questions of a form in a request. `emptyMessage` is the message for an empty list. */
export const questionsOf = <A>(
  question: Schema.Codec<A, unknown>,
  emptyMessage = "At least one question is required"
) => listUpTo(question, { ...questionBounds, emptyMessage })

/** The options of a select question. */
export const optionsOf = (option: Schema.Codec<string>) => optionalListUpTo(option, atMost("options"))

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

/** A form of an organization's catalogue, as a list shows it. */
export const FormSummary = Schema.Struct({
  id: FormId,
  organizationId: OrganizationId,
  title: Schema.String,
  description: Schema.NullOr(Schema.String),
  isArchived: Schema.Boolean,
  createdAt: Timestamp
}).annotate({ identifier: "FormSummary" })
export type FormSummary = typeof FormSummary.Type

/** A form with its questions. */
export const Form = Schema.Struct({
  ...FormSummary.fields,
  questions: Schema.Array(FormQuestion)
}).annotate({ identifier: "Form" })
export type Form = typeof Form.Type

const NewQuestion = Schema.Struct({
  question: nonBlankUpTo(lengths.wording),
  type: QuestionType,
  required: Schema.Boolean,
  phi: Schema.optional(Schema.Boolean),
  hint: Schema.optional(textUpTo(lengths.wording)),
  placeholder: Schema.optional(textUpTo(lengths.wording)),
  options: optionsOf(nonBlankUpTo(lengths.wording))
}).check(
  Schema.makeFilter(({ options, type }) =>
    (type === "SINGLESELECT" || type === "MULTISELECT") && (options === undefined || options.length === 0)
      ? { path: ["options"], issue: `Required for ${type}` }
      : undefined
  )
)

/** A new form. Select questions need options. */
export const NewForm = Schema.Struct({
  title: nonBlankUpTo(lengths.line),
  description: Schema.optional(textUpTo(lengths.paragraph)),
  questions: questionsOf(NewQuestion)
})
export type NewForm = typeof NewForm.Type

/** A change of a form, but not of its questions: answers name them. Null removes the description. */
export const FormChange = Schema.Struct({
  title: Schema.optional(NewForm.fields.title),
  description: Schema.optionalKey(Schema.NullOr(textUpTo(lengths.paragraph))),
  isArchived: Schema.optional(Schema.Boolean)
})
export type FormChange = typeof FormChange.Type
