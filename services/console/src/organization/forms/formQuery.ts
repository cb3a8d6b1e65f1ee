import type { FormId, OrganizationId } from "@care/domain/ids"
import { queryOptions } from "@tanstack/react-query"
import { send } from "../../client/send.ts"
import { catalogue, formsKey } from "../catalogueQueries.ts"

export const formQuery = (organizationId: OrganizationId, formId: FormId) =>
  queryOptions({
    queryKey: [...formsKey(organizationId), "one", formId],
    queryFn: ({ signal }) => send(catalogue.getForm({ params: { organizationId, formId } }), signal)
  })
