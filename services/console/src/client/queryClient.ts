import { QueryClient } from "@tanstack/react-query"
import { RequestFailed } from "./RequestFailed.ts"

const isTransient = (error: Error) => !(error instanceof RequestFailed) || error.isTransient

/**
 * What the console has read. It is in memory only, and emptied when the session ends. A query whose request is no GET has `retry: false`,
 * because only reads are repeated.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5_000, retry: (attempts, error) => attempts < 2 && isTransient(error) },
    mutations: { retry: false }
  }
})
