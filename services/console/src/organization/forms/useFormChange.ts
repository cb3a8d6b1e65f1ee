import type { FormChange } from "@care/domain/admin"
import type { FormSummary } from "@care/domain/cases"
import { useQueryClient } from "@tanstack/react-query"
import { send } from "../../client/send.ts"
import { catalogue, formsKey } from "../catalogueQueries.ts"

/** Returns the function that changes a form. */
export const useFormChange = ({ id, organizationId }: FormSummary) => {
  const client = useQueryClient()
  return async (payload: typeof FormChange.Type): Promise<void> => {
    await send(catalogue.changeForm({ params: { organizationId, formId: id }, payload }))
    void client.invalidateQueries({ queryKey: formsKey(organizationId) })
  }
}
