import type { ProductChange } from "@care/domain/admin"
import type { Product } from "@care/domain/cases"
import { useQueryClient } from "@tanstack/react-query"
import { send } from "../../client/send.ts"
import { catalogue, productsKey } from "../catalogueQueries.ts"

/** Returns the function that changes a product. */
export const useProductChange = ({ id, organizationId }: Product) => {
  const client = useQueryClient()
  return async (payload: typeof ProductChange.Type): Promise<void> => {
    await send(catalogue.changeProduct({ params: { organizationId, productId: id }, payload }))
    void client.invalidateQueries({ queryKey: productsKey(organizationId) })
  }
}
