import type { OrganizationId } from "@care/domain/ids"

/** Makes one value for each organization at its first use, and keeps it as long as the process runs. */
export const memoizeByOrganization = <A>(make: (organizationId: OrganizationId) => A) => {
  const values = new Map<OrganizationId, A>()
  return (organizationId: OrganizationId): A => {
    const value = values.get(organizationId) ?? make(organizationId)
    values.set(organizationId, value)
    return value
  }
}
