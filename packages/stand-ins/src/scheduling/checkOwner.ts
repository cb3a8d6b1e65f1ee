import { type Host, hosts, organizationId } from "./Host.ts"
import { denied, invalid } from "./Refusal.ts"

/** Whose things a list is to show: those of a user, or of the organization; it has to say. */
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
