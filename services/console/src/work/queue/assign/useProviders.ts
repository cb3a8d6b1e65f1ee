import { MembersApi } from "@care/domain/admin"
import type { Member } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { useQuery } from "@tanstack/react-query"
import { Effect } from "effect"
import { clientOf } from "../../../client/clientOf.ts"
import { send } from "../../../client/send.ts"

const { members } = Effect.runSync(clientOf(MembersApi))

// Reads all pages of the list.
const readMembers = async (
  organizationId: OrganizationId,
  signal: AbortSignal,
  cursor?: Parameters<typeof members.list>[0]["query"]["cursor"]
): Promise<ReadonlyArray<Member>> => {
  const { data, nextCursor } = await send(
    members.list({
      params: { organizationId },
      query: { limit: 100, isActive: "true", ...(cursor !== undefined && { cursor }) }
    }),
    signal
  )
  return nextCursor === null ? data : [...data, ...(await readMembers(organizationId, signal, nextCursor))]
}

/** Reads the providers of an organization. */
export const useProviders = (organizationId: OrganizationId) =>
  useQuery({
    queryKey: ["members", organizationId, "all"],
    queryFn: ({ signal }) => readMembers(organizationId, signal),
    staleTime: 60_000,
    select: (all) => all.filter(({ role }) => role === "PROVIDER")
  })
