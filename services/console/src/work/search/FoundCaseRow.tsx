import type { CaseMatch, FoundCase } from "@care/domain/cases"
import { Badge } from "../../ui/Badge.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { inWords } from "../../ui/words.ts"

const matches: Readonly<Record<CaseMatch, string>> = {
  CASE_ID: "id of the case",
  SHORT_ID: "short id",
  ORDER_ID: "id of an order",
  PHARMACY_ORDER_ID: "the pharmacy's id of an order",
  PAYMENT_ID: "id of a payment",
  PATIENT_ID: "id of the patient",
  EMAIL: "email",
  PHONE_NUMBER: "phone number",
  NAME: "name"
}

const nameOf = ({ submitter: { firstName, lastName } }: FoundCase) => `${firstName} ${lastName}`.trim()

/** Returns a found case as one line of text. */
export const foundCaseInWords = (row: FoundCase): string =>
  `${nameOf(row)}, case ${row.shortId}, ${inWords(row.status)}, found by ${matches[row.match]}`

/** A found case: the patient, the case, and how it was found. */
export const FoundCaseRow = ({ row }: { readonly row: FoundCase }) => (
  <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
    <div className="min-w-0">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <strong dir="auto" className="min-w-0 font-semibold break-words">
          {nameOf(row)}
        </strong>
        <span className="min-w-0 text-sm break-words text-muted">{row.submitter.email}</span>
      </p>
      <p className="text-sm break-words text-muted">
        {row.shortId} · <span dir="auto">{row.title}</span> · found by {matches[row.match]}
      </p>
    </div>
    <p className="flex shrink-0 flex-wrap items-baseline gap-2 text-sm text-muted">
      {row.isTest ? <Badge text="Test" /> : null}
      {row.isArchived ? <Badge text="Archived" /> : null}
      <Badge text={inWords(row.status)} />
      <Moment at={row.createdAt} />
    </p>
  </div>
)
