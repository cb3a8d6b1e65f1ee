import { QueryClient } from "@tanstack/react-query"
import { RequestFailed } from "./RequestFailed.ts"

// What the server refused is refused again; what it did not answer may be answered the next time.
const isTransient = (error: Error) =>
  !(error instanceof RequestFailed) || error.status === undefined || error.status >= 500

/** What the console has read. It is in memory only, and emptied when the session ends. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5_000, retry: (attempts, error) => attempts < 2 && isTransient(error) },
    mutations: { retry: false }
  }
})
