import { type OrganizationId, platformId } from "@care/domain/ids"
import { skipToken, useQuery } from "@tanstack/react-query"
import { may } from "../../client/may.ts"
import { send } from "../../client/send.ts"
import { useSession } from "../../session/useSession.ts"

type Names = ReadonlyMap<string, string>

const none: Names = new Map()
const nobody = { staff: none, keys: none }

// The contract of members is large. It is loaded after the screen.
const loadNames = () => import("./actorNames.ts")

/** Returns the names of an organization's staff, and of its keys, each by id. There are none without an organization. */
export const useNamesIn = (
  organizationId: OrganizationId | undefined
): { readonly staff: Names; readonly keys: Names } =>
  useQuery({
    queryKey: ["actor-names", organizationId],
    queryFn:
      organizationId === undefined || organizationId === platformId
        ? skipToken
        : async ({ signal }) => send((await loadNames()).namesIn(organizationId), signal),
    staleTime: 600_000
  }).data ?? nobody

/** Returns the names of the platform's operators, by id, for those who may read them. */
export const useOperatorNames = (): Names => {
  const { user } = useSession()
  return (
    useQuery({
      queryKey: ["operator-names"],
      queryFn: async ({ signal }) => send((await loadNames()).operatorNames, signal),
      staleTime: 600_000,
      enabled: may(user.role, "staffAdmin", "operators")
    }).data ?? none
  )
}
