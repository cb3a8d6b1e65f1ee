import { nobodysId, type OrganizationId, platformId } from "@care/domain/ids"
import { useQuery } from "@tanstack/react-query"
import { organizationQuery } from "../organization/organizationQueries.ts"

/** The name of an organization; its id until the name is known. */
export const OrganizationName = ({ id }: { readonly id: OrganizationId }) => {
  const { data } = useQuery({
    ...organizationQuery(id),
    staleTime: 600_000,
    enabled: id !== platformId && id !== nobodysId
  })
  if (id === platformId) return <>Platform</>
  if (id === nobodysId) return <>None</>
  return <span dir="auto">{data?.name ?? id}</span>
}
