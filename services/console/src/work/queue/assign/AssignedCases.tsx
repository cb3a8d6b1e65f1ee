import type { CaseAssignment, CaseSummary } from "@care/domain/cases"
import { Badge } from "../../../ui/Badge.tsx"
import { patientOf } from "../queueColumns.tsx"

interface AssignedCasesProps {
  readonly cases: ReadonlyArray<CaseSummary>
  /** Undefined before they were assigned. */
  readonly results: ReadonlyArray<CaseAssignment> | undefined
}

const outcomes: Readonly<Record<CaseAssignment["outcome"], string>> = {
  ASSIGNED: "Assigned",
  NOT_FOUND: "Not found",
  STATUS_CONFLICT: "Not assigned"
}

/** The cases that are being assigned, each with what became of it. */
export const AssignedCases = ({ cases, results }: AssignedCasesProps) => (
  <>
    <p role="status" className={results === undefined ? "sr-only" : ""}>
      {results === undefined
        ? null
        : `${results.filter(({ outcome }) => outcome === "ASSIGNED").length} of ${results.length} assigned.`}
    </p>
    <ul aria-label="Cases" className="flex max-h-80 flex-col divide-y divide-line overflow-y-auto">
      {cases.map((row) => {
        const result = results?.find(({ caseId }) => caseId === row.id)
        return (
          <li key={row.id} className="flex flex-wrap justify-between gap-x-3 py-1.5">
            <span className="min-w-0 break-words">
              <bdi>{patientOf(row)}</bdi> <span className="text-muted">{row.shortId}</span>
            </span>
            {result === undefined ? null : (
              <Badge look={result.outcome === "ASSIGNED" ? "good" : "bad"} text={outcomes[result.outcome]} />
            )}
            {result?.detail == null ? null : <span className="w-full text-sm text-muted">{result.detail}</span>}
          </li>
        )
      })}
    </ul>
  </>
)
