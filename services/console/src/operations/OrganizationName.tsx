import { OrganizationsApi } from "@care/domain/admin"
import { nobodysId, type OrganizationId, platformId } from "@care/domain/ids"
import { useQuery } from "@tanstack/react-query"
import { Effect } from "effect"
import { clientOf } from "../client/clientOf.ts"
import { send } from "../client/send.ts"

const { organizations } = Effect.runSync(clientOf(OrganizationsApi))

/** The name of an organization; its id until the name is known. */
export const OrganizationName = ({ id }: { readonly id: OrganizationId }) => {
  const { data } = useQuery({
    queryKey: ["organization-name", id],
    queryFn: ({ signal }) => send(organizations.get({ params: { organizationId: id } }), signal),
    staleTime: 600_000,
    enabled: id !== platformId && id !== nobodysId
  })
  if (id === platformId) return <>Platform</>
  if (id === nobodysId) return <>None</>
  return <span dir="auto">{data?.name ?? id}</span>
}
