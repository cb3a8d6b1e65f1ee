import type { CaseSummary } from "@care/domain/cases"
import { Link } from "@tanstack/react-router"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import type { Column } from "../../ui/DataTable.tsx"
import { linkLook } from "../../ui/linkLook.ts"
import { Moment } from "../../ui/Moment.tsx"
import { Tick } from "../../ui/Tick.tsx"
import { statusWords } from "../case/words.ts"
import { Due } from "./Due.tsx"
import type { useClaim } from "./useClaim.ts"
import type { useRowFocus } from "./useRowFocus.ts"
import type { useSelection } from "./useSelection.ts"
import { Waiting } from "./Waiting.tsx"

interface QueueColumns {
  readonly focus: ReturnType<typeof useRowFocus>
  readonly claiming: ReturnType<typeof useClaim>
  readonly mayClaim: (row: CaseSummary) => boolean
  readonly isGone: (row: CaseSummary) => boolean
  /** Undefined where cases cannot be selected. */
  readonly selection: ReturnType<typeof useSelection> | undefined
}

export const patientOf = ({ submitter: { firstName, lastName } }: CaseSummary): string => `${firstName} ${lastName}`

/** The columns of the queue. Of all rows only the current one is reached by Tab. */
export const queueColumns = ({
  claiming,
  focus,
  isGone,
  mayClaim,
  selection
}: QueueColumns): ReadonlyArray<Column<CaseSummary>> => {
  const isCurrent = (row: CaseSummary) => row.id === focus.currentId
  const select: Column<CaseSummary> = {
    title: "Select",
    cell: (row) => (
      <Tick
        aria-label={`Select ${patientOf(row)}, case ${row.shortId}`}
        isSelected={selection?.has(row.id) ?? false}
        onChange={() => selection?.toggle(row)}
        excludeFromTabOrder={!isCurrent(row)}
      />
    )
  }
  return [
    ...(selection === undefined ? [] : [select]),
    {
      title: "Patient",
      cell: (row) => (
        <>
          <Link to="/cases/$caseId" params={{ caseId: row.id }} className={linkLook} {...focus.linkProps(row.id)}>
            <bdi>{patientOf(row)}</bdi>
          </Link>
          <span className="flex flex-wrap items-center gap-x-2 text-sm text-muted">
            {row.shortId}
            {row.isTest ? <Badge text="Test" /> : null}
            {row.hasOpenEscalation ? <Badge look="bad" text="Escalation" /> : null}
          </span>
        </>
      )
    },
    { title: "Products", cell: ({ productNames }) => <span dir="auto">{productNames.join(", ")}</span> },
    { title: "Due", cell: ({ dueDate }) => <Due date={dueDate} /> },
    { title: "Waiting since", cell: ({ waitingSince }) => <Waiting since={waitingSince} /> },
    {
      title: "Status",
      cell: (row) => {
        const claim = claiming.claims.get(row.id)
        return (
          <>
            {isGone(row) ? <Badge text="Left this list" /> : <Badge {...statusWords[row.status]} />}
            {claim === undefined ? null : (
              <span className={`block max-w-prose text-sm ${claim.isMine ? "text-good" : "text-bad"}`}>
                {claim.text} {claim.at === undefined ? null : <Moment at={claim.at} />}
              </span>
            )}
          </>
        )
      }
    },
    { title: "State", cell: ({ patientState }) => patientState ?? "-" },
    {
      title: "Provider",
      cell: (row) =>
        mayClaim(row) ? (
          <Button
            isSmall
            aria-label={`Claim ${patientOf(row)}, case ${row.shortId}`}
            isPending={claiming.claimingId === row.id}
            excludeFromTabOrder={!isCurrent(row)}
            onPress={() => claiming.claim(row)}
          >
            Claim
          </Button>
        ) : (
          <bdi>{row.assignedTo === null ? "-" : `${row.assignedTo.firstName} ${row.assignedTo.lastName}`}</bdi>
        )
    }
  ]
}
