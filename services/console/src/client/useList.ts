import { useInfiniteQuery } from "@tanstack/react-query"
import type { Effect } from "effect"
import { useMemo } from "react"
import { send } from "./send.ts"

interface PageOf<Row, Cursor> {
  readonly data: ReadonlyArray<Row>
  readonly nextCursor: Cursor | null
  readonly cellsAway?: ReadonlyArray<string>
}

interface Position<Cursor> {
  readonly cursor: Cursor | undefined
}

export interface ListState<Row> {
  /** Undefined until the first page is there. */
  readonly rows: ReadonlyArray<Row> | undefined
  readonly error: Error | null
  readonly pageCount: number
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly loadMore: () => void
  readonly retry: () => void
  /** Cells that did not answer, whose rows are missing. */
  readonly cellsAway: ReadonlyArray<string>
}

/**
 * Reads a list of the admin API page by page. `pageAt` asks for the page at a cursor; the first has none. With `refetchMillis` it is read
 * again in this interval while only its first page is loaded, so that an interval has one request.
 */
export const useList = <Row, Cursor>(
  key: ReadonlyArray<unknown>,
  pageAt: (cursor: Cursor | undefined) => Effect.Effect<PageOf<Row, Cursor>, unknown>,
  options: { readonly refetchMillis?: number; readonly isEnabled?: boolean } = {}
): ListState<Row> => {
  const first: Position<Cursor> = { cursor: undefined }
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam: { cursor }, signal }) => send(pageAt(cursor), signal),
    initialPageParam: first,
    getNextPageParam: ({ nextCursor }) => (nextCursor === null ? undefined : { cursor: nextCursor }),
    enabled: options.isEnabled ?? true,
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? (options.refetchMillis ?? false) : false)
  })
  const rows = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data])
  return {
    rows,
    error: query.error,
    pageCount: query.data?.pages.length ?? 0,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
    cellsAway: query.data?.pages.at(-1)?.cellsAway ?? []
  }
}
