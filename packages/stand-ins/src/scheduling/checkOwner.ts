import { type Host, hosts, organizationId } from "./Host.ts"
import { denied, invalid } from "./Refusal.ts"

/** Returns the filter of hosts for a list: those of the user or the organization that it names. It must name one. */
export const checkOwner = ({
  organization,
  user
}: {
  readonly organization?: string
  readonly user?: string
}): ((host: Host) => boolean) => {
  if (user === undefined && organization === undefined) {
    throw invalid({ parameter: "user", message: "or organization has to be given" })
  }
  const isKnown = user === undefined || hosts.some(({ id }) => id === user)
  if (!isKnown || (organization ?? organizationId) !== organizationId) {
    throw denied("You do not have permission to access this resource.")
  }
  return ({ id }) => user === undefined || id === user
}
