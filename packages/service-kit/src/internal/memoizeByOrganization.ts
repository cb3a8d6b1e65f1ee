import type { OrganizationId } from "@care/domain/ids"

/** Makes one value for each organization at its first use, and keeps it as long as the process runs. */
export const memoizeByOrganization = <A>(make: (organizationId: OrganizationId) => A) => {
  const known = new Map<OrganizationId, A>()
  return (organizationId: OrganizationId): A => {
    const one = known.get(organizationId) ?? make(organizationId)
    known.set(organizationId, one)
    return one
  }
}
