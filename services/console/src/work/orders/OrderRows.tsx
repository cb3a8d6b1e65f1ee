import type { OrderInError } from "@care/domain/cases"
import type { OrganizationId } from "@care/domain/ids"
import { useState } from "react"
import { may } from "../../client/may.ts"
import { useSession } from "../../session/useSession.ts"
import { Button } from "../../ui/Button.tsx"
import { type Column, DataTable } from "../../ui/DataTable.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { PagedList } from "../../ui/PagedList.tsx"
import { CaseLink } from "../CaseLink.tsx"
import { ChangeOrder } from "./ChangeOrder.tsx"
import { useOrdersInError } from "./ordersInError.ts"

const columns: ReadonlyArray<Column<OrderInError>> = [
  {
    title: "Case",
    cell: ({ caseId, shortId, submitter }) => <CaseLink caseId={caseId} shortId={shortId} patient={submitter} />
  },
  {
    title: "Why",
    cell: ({ message }) =>
      message === null ? (
        <span className="text-muted">No reason was given</span>
      ) : (
        <span dir="auto" className="max-w-prose wrap-anywhere whitespace-pre-line">
          {message}
        </span>
      )
  },
  {
    title: "Pharmacy",
    cell: ({ pharmacyName, pharmacyOrderId }) => (
      <>
        <bdi>{pharmacyName === "" ? "-" : pharmacyName}</bdi>
        <span className="block text-sm break-all text-muted">
          {pharmacyOrderId === "" ? "Not accepted" : `Order ${pharmacyOrderId}`}
        </span>
      </>
    )
  },
  { title: "In error since", cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
  { title: "Ordered", cell: ({ createdAt }) => <Moment at={createdAt} /> }
]

export const OrderRows = ({ organizationId }: { readonly organizationId: OrganizationId }) => {
  const { role } = useSession().user
  const list = useOrdersInError(organizationId)
  const [chosen, setChosen] = useState<OrderInError | undefined>(undefined)
  const change = (row: OrderInError) => (
    <Button
      isSmall
      aria-label={`Change the order of ${row.submitter.firstName} ${row.submitter.lastName}, case ${row.shortId}`}
      onPress={() => setChosen(row)}
    >
      Change
    </Button>
  )
  return (
    <>
      <PagedList list={list} empty={<Empty title="No order is in error">New ones appear here by themselves.</Empty>}>
        {(rows) => (
          <DataTable
            caption="Orders in error"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[...columns, ...(may(role, "adminOrders", "change") ? [{ title: "Change", cell: change }] : [])]}
          />
        )}
      </PagedList>
      {chosen === undefined ? null : <ChangeOrder order={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}
