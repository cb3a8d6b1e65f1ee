import { AuditAction, auditActions } from "@care/domain/audit/auditActions"
import { Choice } from "../../ui/Choice.tsx"
import { TimeField } from "../../ui/TimeField.tsx"
import { CaseField } from "../CaseField.tsx"
import { timeIn } from "../timeIn.ts"
import type { AuditSearch } from "./AuditSearch.ts"
import { PatientField } from "./PatientField.tsx"
import { PersonChoice } from "./PersonChoice.tsx"

interface RecordFiltersProps {
  readonly search: AuditSearch
  readonly onChange: (search: AuditSearch) => void
}

const actions = [
  { value: "ALL", text: "All" },
  ...AuditAction.literals
    .map((value) => ({ value, text: auditActions[value].summary }))
    .sort((one, other) => one.text.localeCompare(other.text))
] as const

/** The filters of audit records. */
export const RecordFilters = ({ onChange, search }: RecordFiltersProps) => (
  <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-6">
    <PersonChoice value={search.actorId} onChange={(actorId) => onChange({ ...search, actorId })} />
    <Choice
      label="What was done"
      value={search.action ?? "ALL"}
      options={actions}
      onChange={(next) => onChange({ ...search, action: next === "ALL" ? undefined : next })}
    />
    <PatientField value={search.patientId} onChange={(patientId) => onChange({ ...search, patientId })} />
    <CaseField value={search.caseId} onChange={(caseId) => onChange({ ...search, caseId })} />
    <TimeField
      label="From"
      value={timeIn(search.from)}
      onChange={(from) => onChange({ ...search, from: from?.toISOString() })}
    />
    <TimeField
      label="Before"
      value={timeIn(search.to)}
      onChange={(to) => onChange({ ...search, to: to?.toISOString() })}
    />
  </div>
)
