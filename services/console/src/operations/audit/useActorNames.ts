import { type OrganizationId, platformId } from "@care/domain/ids"
import { useQuery } from "@tanstack/react-query"
import { may } from "../../client/may.ts"
import { send } from "../../client/send.ts"
import { useSession } from "../../session/useSession.ts"

const none: ReadonlyMap<string, string> = new Map()

// The contract of members is large. It is loaded after the screen.
const loadNames = () => import("./actorNames.ts")

/** Returns the names of an organization's staff and keys, by id. */
export const useNamesIn = (organizationId: OrganizationId): ReadonlyMap<string, string> =>
  useQuery({
    queryKey: ["actor-names", organizationId],
    queryFn: async ({ signal }) => send((await loadNames()).namesIn(organizationId), signal),
    staleTime: 600_000,
    enabled: organizationId !== platformId
  }).data ?? none

/** Returns the names of the platform's operators, by id, for those who may read them. */
export const useOperatorNames = (): ReadonlyMap<string, string> => {
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
