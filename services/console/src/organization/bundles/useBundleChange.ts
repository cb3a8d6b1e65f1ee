import type { BundleChange } from "@care/domain/admin"
import type { Bundle } from "@care/domain/cases"
import { useQueryClient } from "@tanstack/react-query"
import { send } from "../../client/send.ts"
import { bundlesKey, catalogue } from "../catalogueQueries.ts"

/** Returns the function that changes a bundle. */
export const useBundleChange = ({ id, organizationId }: Bundle) => {
  const client = useQueryClient()
  return async (payload: typeof BundleChange.Type): Promise<void> => {
    await send(catalogue.changeBundle({ params: { organizationId, bundleId: id }, payload }))
    void client.invalidateQueries({ queryKey: bundlesKey(organizationId) })
  }
}
