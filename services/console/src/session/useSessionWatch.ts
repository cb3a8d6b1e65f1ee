import { useQuery } from "@tanstack/react-query"
import { send } from "../client/send.ts"
import { staffSession } from "./session.ts"

const watchMillis = 10_000

/** Asks every ten seconds, while the person looks at the page, whether their session goes on. When it ended, the page shows nothing any more. */
export const useSessionWatch = (): void => {
  useQuery({
    queryKey: ["session-watch"],
    queryFn: async ({ signal }) => {
      await send(staffSession.whoAmI(), signal)
      return null
    },
    refetchInterval: watchMillis,
    staleTime: watchMillis,
    initialData: null,
    retry: false,
    notifyOnChangeProps: []
  })
}
