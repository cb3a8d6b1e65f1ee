import { Schema, SchemaTransformation, Struct } from "effect"
import { UserSummary } from "../auth/User.ts"
import { lengths } from "../http/bounds.ts"
import { Email } from "../http/Email.ts"
import { listUpTo } from "../http/listUpTo.ts"
import { textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { CaseId, EscalationId, OrganizationId, UserId } from "../Ids.ts"
import { currentTitle, EscalationType, escalationTitles } from "./escalationTitles.ts"

/** An issue of a case for the care team. Fields that were not given are absent. It is active until it is completed. */
export const Escalation = Schema.Struct({
  id: EscalationId,
  type: EscalationType,
  title: Schema.String,
  note: Schema.optionalKey(Schema.String),
  followUpDueAt: Schema.optionalKey(Timestamp),
  assignedToUserId: Schema.optionalKey(UserId),
  isCompleted: Schema.Boolean,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Escalation" })
export type Escalation = typeof Escalation.Type

/** An escalation with its case, the patient, and who has it. */
export const EscalationOfCase = Schema.Struct({
  ...Escalation.fields,
  organizationId: OrganizationId,
  caseId: CaseId,
  shortId: Schema.String,
  submitter: UserSummary,
  assignedTo: Schema.NullOr(UserSummary)
}).annotate({ identifier: "EscalationOfCase" })
export type EscalationOfCase = typeof EscalationOfCase.Type

const titlesInWords = EscalationType.literals
  .map((type) => `${type}: ${escalationTitles[type].valid.join("; ")}`)
  .join(". ")

const deprecatedInWords = EscalationType.literals
  .map((type) => ({ type, titles: Object.entries(escalationTitles[type].deprecated) }))
  .filter(({ titles }) => titles.length > 0)
  .map(({ titles, type }) => `${type}: ${titles.map(([title, current]) => `${title} (use ${current})`).join("; ")}`)
  .join(". ")

const RequestedEscalation = Schema.Struct({
  type: EscalationType,
  title: textUpTo(lengths.line).annotate({
    description: `Exactly one of the titles of the type. ${titlesInWords}. Deprecated titles are accepted, and replaced by the one to use. ${deprecatedInWords}.`,
    examples: ["Possible Dispute"]
  }),
  note: Schema.optional(textUpTo(lengths.paragraph)),
  followUpDueAt: Schema.optional(Timestamp),
  assignedToEmail: Schema.optional(Email)
}).check(
  Schema.makeFilter(({ title, type }) =>
    currentTitle(type, title) === undefined
      ? {
          path: ["title"],
          issue: `Invalid title "${title}" for type "${type}". Must be one of: ${escalationTitles[type].valid.join(", ")}`
        }
      : undefined
  )
)

/** A new escalation. A deprecated title is replaced. */
export const NewEscalation = RequestedEscalation.pipe(
  Schema.decode(
    SchemaTransformation.transform({
      decode: (requested) => ({
        ...requested,
        title: currentTitle(requested.type, requested.title) ?? requested.title
      }),
      encode: (current) => current
    })
  )
)
export type NewEscalation = typeof NewEscalation.Type

const maxEscalations = 100

/** The escalations of a request. Unknown fields are refused. */
export const NewEscalations = listUpTo(
  NewEscalation,
  {
    max: maxEscalations,
    tooManyMessage: `must be at most ${maxEscalations} escalations`,
    emptyMessage: "At least one escalation is required"
  },
  Struct.keys(RequestedEscalation.fields)
)

const fields = { type: EscalationType, title: Schema.String }

/** Two escalations of one request are equal. `title` is the current one. */
export class EscalationRepeated extends Schema.TaggedError<EscalationRepeated>()("EscalationRepeated", fields) {}

/** The case has an active escalation of this type and title. */
export class EscalationActive extends Schema.TaggedError<EscalationActive>()("EscalationActive", fields) {}

/** No user who may be assigned the organization's escalations has this email. */
export class AssigneeUnknown extends Schema.TaggedError<AssigneeUnknown>()("AssigneeUnknown", {
  email: Schema.String
}) {}

export class EscalationNotFound extends Schema.TaggedError<EscalationNotFound>()("EscalationNotFound", {
  escalationId: EscalationId
}) {}
