import type { AuditRecord } from "@care/domain/audit"
import { Link } from "@tanstack/react-router"
import { linkLook } from "../../ui/linkLook.ts"

const short = (id: string) => id.slice(0, 8)

/** Whose data a record is about: links to all records of the case and of the patient. */
export const RecordSubject = ({ record }: { readonly record: AuditRecord }) => {
  const { caseId, shown, userId } = record
  if (shown.length > 0)
    return <span>{shown.length === 1 ? "A list of 1 case" : `A list of ${shown.length} cases`}</span>
  if (caseId === null && userId === null) return <span className="text-muted">-</span>
  return (
    <span className="flex flex-wrap gap-x-3">
      {caseId === null ? null : (
        <Link to="/audit" search={{ caseId }} title={caseId} className={linkLook}>
          Case {short(caseId)}
        </Link>
      )}
      {userId === null ? null : (
        <Link to="/audit" search={{ patientId: userId }} title={userId} className={linkLook}>
          Patient {short(userId)}
        </Link>
      )}
    </span>
  )
}
