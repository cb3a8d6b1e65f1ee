import type { AuditRecord } from "@care/domain/audit"
import type { PagePosition } from "@care/domain/http"
import type { Page } from "@care/service-kit"

const positionOf = ({ at, id }: AuditRecord): PagePosition => ({ createdAt: at, id })

const newestFirst = (a: PagePosition, b: PagePosition): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/**
 * Merges pages of several services, each newest first, into one page. It ends where the first of the pages ends. The
 * records of other services after that are in the next page.
 */
export const mergedPage = (pages: ReadonlyArray<Page<AuditRecord>>, limit: number): Page<AuditRecord> => {
  const [end] = pages.flatMap(({ nextCursor }) => (nextCursor === null ? [] : [nextCursor])).sort(newestFirst)
  const found = pages
    .flatMap(({ data }) => data)
    .filter((record) => end === undefined || newestFirst(positionOf(record), end) <= 0)
    .sort((a, b) => newestFirst(positionOf(a), positionOf(b)))
  const data = found.slice(0, limit)
  const last = data.at(-1)
  return { data, nextCursor: found.length > limit && last !== undefined ? positionOf(last) : (end ?? null) }
}
