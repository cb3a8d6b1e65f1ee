import type { ReactNode } from "react"
import type { ListState } from "../client/useList.ts"
import { type Column, DataTable } from "../ui/DataTable.tsx"
import { PagedList } from "../ui/PagedList.tsx"

interface PartListProps<Row> {
  readonly caption: string
  readonly list: ListState<Row>
  readonly columns: ReadonlyArray<Column<Row>>
  /** What can be done with a row; undefined for people who may do nothing with it. */
  readonly actions?: ((row: Row) => ReactNode) | undefined
  /** Chooses which rows are shown. */
  readonly choice?: ReactNode
  /** The button that adds a row. */
  readonly add: ReactNode
  readonly empty: ReactNode
}

/** A list of things of an organization, with what chooses and adds them. */
export const PartList = <Row extends { readonly id: string }>(props: PartListProps<Row>) => {
  const { actions, add, caption, choice, columns, empty, list } = props
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3 empty:hidden">
        {choice}
        {add}
      </div>
      <PagedList list={list} empty={empty}>
        {(rows) => (
          <DataTable
            caption={caption}
            rows={rows}
            keyOf={({ id }) => id}
            columns={actions === undefined ? columns : [...columns, { title: "Actions", cell: actions }]}
          />
        )}
      </PagedList>
    </>
  )
}
