import type { OrganizationChange } from "@care/domain/admin"
import type { OrganizationId } from "@care/domain/ids"
import { useQueryClient } from "@tanstack/react-query"
import { send } from "../../client/send.ts"
import { organizations, organizationsKey } from "../organizationQueries.ts"

/** Returns the function that changes an organization. */
export const useOrganizationChange = (organizationId: OrganizationId) => {
  const client = useQueryClient()
  return async (payload: typeof OrganizationChange.Type): Promise<void> => {
    await send(organizations.update({ params: { organizationId }, payload }))
    void client.invalidateQueries({ queryKey: organizationsKey })
  }
}
