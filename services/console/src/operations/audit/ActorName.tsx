import type { ServiceAuditRecord } from "@care/domain/audit"
import type { OrganizationId } from "@care/domain/ids"
import { useNamesIn, useOperatorNames } from "./useActorNames.ts"

interface ActorNameProps {
  readonly actor: ServiceAuditRecord["actor"]
  readonly organizationId: OrganizationId
}

const kinds: Readonly<Record<ServiceAuditRecord["actor"]["type"], string>> = {
  API_KEY: "API key",
  USER: "Staff",
  PATIENT: "Patient",
  OPERATOR: "A machine of the operator",
  JOB: "Job",
  SERVICE: "Service",
  PHARMACY: "Pharmacy",
  STRIPE: "Payment gateway",
  SCHEDULING: "Scheduling provider"
}

/** Who did something: the name of a person or key, or what it was. */
export const ActorName = ({ actor, organizationId }: ActorNameProps) => {
  const { keys, staff } = useNamesIn(organizationId)
  const operators = useOperatorNames()
  const isNamedByItself = actor.type === "JOB" || actor.type === "SERVICE"
  const name =
    actor.id === null
      ? undefined
      : isNamedByItself
        ? actor.id
        : (staff.get(actor.id) ?? keys.get(actor.id) ?? operators.get(actor.id))
  return (
    <span className="block min-w-0">
      <span className="block break-words" dir="auto" {...(actor.id !== null && { title: actor.id })}>
        {name ?? kinds[actor.type]}
      </span>
      {name === undefined ? null : <span className="text-sm text-muted">{kinds[actor.type]}</span>}
    </span>
  )
}
