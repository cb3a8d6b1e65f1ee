import type { CaseAge, CaseSummary } from "@care/domain/cases"
import { lazy, type ReactNode, Suspense } from "react"
import { may } from "../../client/may.ts"
import type { ListState } from "../../client/useList.ts"
import { useSession } from "../../session/useSession.ts"
import { DataTable } from "../../ui/DataTable.tsx"
import { Failure } from "../../ui/Failure.tsx"
import { type ScreenKey, useKeys } from "../../ui/keys.ts"
import { QueueNotice } from "./QueueNotice.tsx"
import { queueColumns } from "./queueColumns.tsx"
import type { QueueFilter, QueueOrder } from "./queueViews.ts"
import { useClaim } from "./useClaim.ts"
import { useRowFocus } from "./useRowFocus.ts"
import { useSelection } from "./useSelection.ts"
import { useSettled } from "./useSettled.ts"

// Only some people assign cases, and only after a selection.
const AssignBar = lazy(() => import("./assign/AssignBar.tsx").then((module) => ({ default: module.AssignBar })))

interface QueueRowsProps {
  readonly rows: ReadonlyArray<CaseSummary>
  readonly list: ListState<CaseSummary>
  readonly filter: QueueFilter
  readonly order: QueueOrder
  readonly age: CaseAge | undefined
  /** What is shown when no row is left, not even one that has just been taken. */
  readonly empty: ReactNode
}

/** The rows of the queue. They keep their places and the focus while new work arrives. */
export const QueueRows = ({ age, empty, filter, list, order, rows: latest }: QueueRowsProps) => {
  const { user } = useSession()
  const { rows, update, ...changes } = useSettled(latest, list.hasMore)
  const focus = useRowFocus(rows.map(({ id }) => id))
  const claiming = useClaim()
  const selection = useSelection()
  const isGone = ({ id }: CaseSummary) => changes.gone.has(id)
  const mayClaim = (row: CaseSummary) =>
    user.role === "PROVIDER" && row.status === "OPEN" && !isGone(row) && !claiming.claims.has(row.id)
  const maySelect = filter.organizationId !== undefined && may(user.role, "backOffice", "assignAll")
  const chosen = rows.find(({ id }) => id === focus.chosenId)
  const claimKey: ScreenKey = {
    keys: ["c"],
    does: "Claim the case, so that it is yours",
    run: () => {
      if (chosen !== undefined && mayClaim(chosen)) claiming.claim(chosen)
    }
  }
  const selectKey: ScreenKey = {
    keys: ["x"],
    does: "Select the case, to assign it with others",
    run: () => {
      if (chosen !== undefined) selection.toggle(chosen)
    }
  }
  useKeys([
    { keys: ["j", "ArrowDown"], does: "Go to the next case", run: () => focus.move(1) },
    { keys: ["k", "ArrowUp"], does: "Go to the case before", run: () => focus.move(-1) },
    { keys: ["Enter"], does: "Open the case" },
    ...(user.role === "PROVIDER" ? [claimKey] : []),
    ...(maySelect ? [selectKey] : [])
  ])
  return (
    <div className="flex flex-col gap-3">
      <QueueNotice age={age} filter={filter} order={order} list={list} changes={changes} onUpdate={update} />
      {claiming.error === null ? null : <Failure error={claiming.error} />}
      {rows.length === 0 ? (
        empty
      ) : (
        <DataTable
          caption="Cases"
          rows={rows}
          keyOf={({ id }) => id}
          isPale={isGone}
          columns={queueColumns({ focus, claiming, isGone, mayClaim, selection: maySelect ? selection : undefined })}
        />
      )}
      {filter.organizationId === undefined || selection.cases.length === 0 ? null : (
        <Suspense>
          <AssignBar organizationId={filter.organizationId} cases={selection.cases} onDone={selection.clear} />
        </Suspense>
      )}
    </div>
  )
}
