import { CaseId } from "@care/domain/ids"
import { Option, Schema } from "effect"
import { queryClient } from "../../../client/queryClient.ts"
import { caseQuery, patientQuery } from "./caseQueries.ts"
import { timelineQuery } from "./timelineQuery.ts"

const decode = Schema.decodeUnknownOption(CaseId)

/** Returns the id of a path, or undefined for what is none. */
export const caseIdOf = (text: string): CaseId | undefined => Option.getOrUndefined(decode(text))

/** Begins to read what a case shows first, all at once. */
export const preloadCase = (text: string): void => {
  const caseId = caseIdOf(text)
  if (caseId === undefined) return
  void queryClient.prefetchQuery(caseQuery(caseId))
  void queryClient.prefetchQuery(patientQuery(caseId))
  void queryClient.prefetchInfiniteQuery(timelineQuery(caseId))
}
