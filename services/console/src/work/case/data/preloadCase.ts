import { CaseId } from "@care/domain/ids"
import { Option, Schema } from "effect"
import { may } from "../../../client/may.ts"
import { queryClient } from "../../../client/queryClient.ts"
import { sessionQuery } from "../../../session/session.ts"
import { caseQuery, patientQuery } from "./caseQueries.ts"
import { timelineQuery } from "./timelineQuery.ts"

const decode = Schema.decodeUnknownOption(CaseId)

/** Returns the id of a path, or undefined for what is none. */
export const caseIdOf = (text: string): CaseId | undefined => Option.getOrUndefined(decode(text))

/** Begins to read what a case shows first, all at once, for those who may. */
export const preloadCase = (text: string): void => {
  const caseId = caseIdOf(text)
  const role = queryClient.getQueryData(sessionQuery.queryKey)?.user.role
  if (caseId === undefined || role === undefined || !may(role, "backOffice", "case")) return
  void queryClient.prefetchQuery(caseQuery(caseId))
  void queryClient.prefetchQuery(patientQuery(caseId))
  void queryClient.prefetchInfiniteQuery(timelineQuery(caseId))
}
