import type { ReactNode } from "react"
import type { ListState } from "../client/useList.ts"
import { Button } from "./Button.tsx"
import { Failure } from "./Failure.tsx"
import { Skeleton } from "./Skeleton.tsx"

interface PagedListProps<Row> {
  readonly list: ListState<Row>
  /** What is shown in the place of no rows. Left out by lists that say it themselves. */
  readonly empty?: ReactNode
  readonly children: (rows: ReadonlyArray<Row>) => ReactNode
}

/** A list that is read page by page, with its loading, empty and failed forms. */
export const PagedList = <Row,>({ children, empty, list }: PagedListProps<Row>) => {
  if (list.rows === undefined) {
    return list.error === null ? <Skeleton lines={6} /> : <Failure error={list.error} onRetry={list.retry} />
  }
  return (
    <div className="flex flex-col gap-3">
      {list.error === null ? null : <Failure error={list.error} onRetry={list.retry} />}
      {list.cellsAway.length === 0 ? null : (
        <p role="status" className="rounded-md bg-warn-soft p-3 text-warn">
          Rows of {list.cellsAway.join(", ")} are missing, because these cells do not answer.
        </p>
      )}
      {list.rows.length === 0 && empty !== undefined ? empty : children(list.rows)}
      {list.hasMore ? (
        <div className="flex justify-center">
          <Button isPending={list.isLoadingMore} onPress={list.loadMore}>
            Show more
          </Button>
        </div>
      ) : null}
    </div>
  )
}
