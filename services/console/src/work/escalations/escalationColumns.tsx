import type { EscalationOfCase } from "@care/domain/cases"
import type { UserId } from "@care/domain/ids"
import { organizationNow } from "../../client/clock.ts"
import { Badge } from "../../ui/Badge.tsx"
import type { Column } from "../../ui/DataTable.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { inWords } from "../../ui/words.ts"
import { CaseLink } from "../CaseLink.tsx"

const assigneeOf = ({ assignedTo }: EscalationOfCase, id: UserId): string => {
  if (assignedTo === null) return "Nobody"
  return assignedTo.id === id ? "You" : `${assignedTo.firstName} ${assignedTo.lastName}`
}

/** The columns of a list of escalations, for a person. */
export const escalationColumns = ({ id }: { readonly id: UserId }): ReadonlyArray<Column<EscalationOfCase>> => [
  {
    title: "Escalation",
    cell: ({ note, title, type }) => (
      <>
        <span className="font-medium">{title}</span>
        <span className="block text-sm text-muted">{inWords(type)}</span>
        {note === undefined ? null : (
          <span dir="auto" className="block max-w-prose text-sm wrap-anywhere whitespace-pre-line">
            {note}
          </span>
        )}
      </>
    )
  },
  {
    title: "Case",
    cell: ({ caseId, shortId, submitter }) => <CaseLink caseId={caseId} shortId={shortId} patient={submitter} />
  },
  { title: "Opened", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    title: "Follow up",
    cell: ({ followUpDueAt }) =>
      followUpDueAt === undefined ? (
        "-"
      ) : (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Moment at={followUpDueAt} />
          {followUpDueAt.getTime() < organizationNow() ? <Badge look="bad" text="Overdue" /> : null}
        </span>
      )
  },
  { title: "Assigned to", cell: (row) => <bdi>{assigneeOf(row, id)}</bdi> }
]
