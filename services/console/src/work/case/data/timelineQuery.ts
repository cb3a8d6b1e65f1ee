import type { TimelineEntry, TimelineKind } from "@care/domain/cases"
import type { CaseId } from "@care/domain/ids"
import { infiniteQueryOptions } from "@tanstack/react-query"
import { send } from "../../../client/send.ts"
import { caseLists } from "./caseClients.ts"
import { caseKey } from "./caseQueries.ts"

interface Position {
  readonly cursor: number | undefined
}

interface TimelinePage {
  readonly data: ReadonlyArray<TimelineEntry>
  readonly nextCursor: number | null
}

const first: Position = { cursor: undefined }

// With a kind a page may be empty before the last one.
const pageAt = async (
  caseId: CaseId,
  kind: TimelineKind | undefined,
  { cursor }: Position,
  signal: AbortSignal
): Promise<TimelinePage> => {
  const query = { limit: 30, ...(cursor !== undefined && { cursor }), ...(kind !== undefined && { kind }) }
  const page = await send(caseLists.timeline({ params: { caseId }, query }), signal)
  return page.data.length === 0 && page.nextCursor !== null
    ? pageAt(caseId, kind, { cursor: page.nextCursor }, signal)
    : page
}

/** The timeline of a case in pages: all of it, or the entries of one kind. */
export const timelineQuery = (caseId: CaseId, kind?: TimelineKind) =>
  infiniteQueryOptions({
    queryKey: [...caseKey(caseId), "timeline", kind ?? "all"],
    queryFn: ({ pageParam, signal }) => pageAt(caseId, kind, pageParam, signal),
    initialPageParam: first,
    getNextPageParam: ({ nextCursor }) => (nextCursor === null ? undefined : { cursor: nextCursor })
  })
