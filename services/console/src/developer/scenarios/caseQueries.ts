import type { Care } from "@care/client"
import { caseEvents, readPossible } from "@care/scenarios"
import { type QueryClient, queryOptions } from "@tanstack/react-query"
import { inPage } from "./inPage.ts"

const key = "scenario-case"

/** Reads a case again after a step. */
export const stepDone = (client: QueryClient, caseId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: [key, caseId] })

/** A case of the sandbox, and the steps that are possible now. */
export const possibleQuery = (care: Care, caseId: string) =>
  queryOptions({
    queryKey: [key, caseId, "possible"],
    queryFn: ({ signal }) => inPage(readPossible(care, caseId), signal),
    refetchInterval: 3_000
  })

/** The events of a case, oldest first. */
export const eventsQuery = (care: Care, caseId: string) =>
  queryOptions({
    queryKey: [key, caseId, "events"],
    queryFn: ({ signal }) => inPage(caseEvents(care, caseId), signal),
    refetchInterval: 2_000
  })
