import { SingleSignOnApi } from "@care/domain/admin"
import type { OrganizationId } from "@care/domain/ids"
import { queryOptions } from "@tanstack/react-query"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"
import { isUnseen } from "../../client/RequestFailed.ts"
import { send } from "../../client/send.ts"

export const { singleSignOn } = Effect.runSync(clientOf(SingleSignOnApi))

/** The single sign-on of an organization; null if it has none. */
export const signOnQuery = (organizationId: OrganizationId) =>
  queryOptions({
    queryKey: ["single-sign-on", organizationId],
    queryFn: ({ signal }) =>
      send(singleSignOn.get({ params: { organizationId } }), signal).catch((error: unknown) => {
        if (isUnseen(error)) return null
        throw error
      })
  })
