import type { OrganizationId } from "@care/domain/ids"

/** What there is one of for each organization, made when it is asked for first, and kept as long as the process runs. */
export const memoizeByOrganization = <A>(make: (organizationId: OrganizationId) => A) => {
  const known = new Map<OrganizationId, A>()
  return (organizationId: OrganizationId): A => {
    const one = known.get(organizationId) ?? make(organizationId)
    known.set(organizationId, one)
    return one
  }
}
