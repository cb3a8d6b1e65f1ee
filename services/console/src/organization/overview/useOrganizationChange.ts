import type { OrganizationChange } from "@care/domain/admin"
import type { OrganizationId } from "@care/domain/ids"
import { useQueryClient } from "@tanstack/react-query"
import { send } from "../../client/send.ts"
import { organizationQuery, organizations, organizationsKey } from "../organizationQueries.ts"

/** Returns the function that changes an organization, and what is shown of it. */
export const useOrganizationChange = (organizationId: OrganizationId) => {
  const client = useQueryClient()
  return async (payload: typeof OrganizationChange.Type): Promise<void> => {
    const changed = await send(organizations.update({ params: { organizationId }, payload }))
    client.setQueryData(organizationQuery(organizationId).queryKey, changed)
    await client.invalidateQueries({ queryKey: organizationsKey })
  }
}
