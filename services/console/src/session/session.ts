import { StaffSessionApi } from "@care/domain/admin"
import { queryOptions } from "@tanstack/react-query"
import { Effect } from "effect"
import { clientOf } from "../client/clientOf.ts"
import { send } from "../client/send.ts"

/** The client of the session of the person who is signed in. */
export const { staffSession } = Effect.runSync(clientOf(StaffSessionApi))

/** The key of mutations in which another session takes the place of this one. */
export const raisingKey = ["raise the session"]

/** Who is signed in. Its age does not matter: a session that ended is noticed by any request. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => send(staffSession.whoAmI(), signal),
  staleTime: 60_000,
  retry: false
})
