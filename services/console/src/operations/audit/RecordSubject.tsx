import type { AuditRecord } from "@care/domain/audit"
import { isAccessChange } from "@care/domain/audit/auditActions"
import { Link } from "@tanstack/react-router"
import { linkLook } from "../../ui/linkLook.ts"
import { ActorName } from "./ActorName.tsx"

const short = (id: string) => id.slice(0, 8)

/** Whom a record is about: the member of staff or API key, or links to all records of the case and of the patient. */
export const RecordSubject = ({ record }: { readonly record: AuditRecord }) => {
  const { action, apiKeyId, caseId, organizationId, shown, userId } = record
  if (shown.length > 0)
    return <span>{shown.length === 1 ? "A list of 1 case" : `A list of ${shown.length} cases`}</span>
  if (apiKeyId !== undefined)
    return <ActorName actor={{ type: "API_KEY", id: apiKeyId }} organizationId={organizationId} />
  if (caseId === null && userId === null) return <span className="text-muted">-</span>
  if (isAccessChange(action)) return <ActorName actor={{ type: "USER", id: userId }} organizationId={organizationId} />
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
