import type { CaseId, OrganizationId } from "@care/domain/ids"
import { useQuery } from "@tanstack/react-query"
import { findCases } from "../caseFinder.ts"

/** Returns a case by its patient's name and its short id, `Maria Lopez's case 7F3K`; by its id until these are known. */
export const useCaseInWords = (organizationId: OrganizationId, caseId: CaseId): string => {
  const { data } = useQuery({
    queryKey: ["case-in-words", caseId],
    queryFn: ({ signal }) => findCases(organizationId, caseId, signal),
    staleTime: 600_000,
    retry: false
  })
  const found = data?.[0]
  if (found === undefined) return `the case ${caseId}`
  return `${found.submitter.firstName} ${found.submitter.lastName}'s case ${found.shortId}`
}
