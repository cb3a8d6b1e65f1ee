import type { PagePosition } from "@care/domain/http"
import type { AdminPayment } from "@care/domain/payments"
import { PaymentStatus } from "@care/domain/payments/PaymentStatus"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useList } from "../../client/useList.ts"
import { useOrganizationId } from "../../session/chosenOrganization.ts"
import { Choice } from "../../ui/Choice.tsx"
import { type Column, DataTable } from "../../ui/DataTable.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { linkLook } from "../../ui/linkLook.ts"
import { Moment } from "../../ui/Moment.tsx"
import { money } from "../../ui/money.ts"
import { Page } from "../../ui/Page.tsx"
import { PagedList } from "../../ui/PagedList.tsx"
import { CaseField } from "../CaseField.tsx"
import { OrganizationName } from "../OrganizationName.tsx"
import { PaymentState, statusInWords } from "./PaymentState.tsx"
import { adminPayments, paymentsKey } from "./paymentQueries.ts"

const route = getRouteApi("/shell/payments")

const statuses = [
  { value: "ALL", text: "All" },
  ...PaymentStatus.literals.map((value) => ({ value, text: statusInWords(value) }))
] as const

const amountOf = ({ amount, currency }: AdminPayment) =>
  amount === null ? "Unknown" : money(amount, currency ?? "USD")

const columns: ReadonlyArray<Column<AdminPayment>> = [
  {
    title: "Payment",
    cell: ({ description, paymentId }) => (
      <Link to="/payments/$paymentId" params={{ paymentId }} className={linkLook}>
        <span dir="auto">{description ?? paymentId}</span>
      </Link>
    )
  },
  { title: "Status", cell: ({ status }) => <PaymentState status={status} /> },
  { title: "Amount", isNumber: true, cell: amountOf },
  {
    title: "Refunded",
    isNumber: true,
    cell: ({ currency, gateway }) =>
      gateway === null || gateway.refunded === 0 ? "-" : money(gateway.refunded, gateway.currency ?? currency ?? "USD")
  },
  { title: "Made", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: "Changed", cell: ({ updatedAt }) => <Moment at={updatedAt} /> }
]

const ofAll: Column<AdminPayment> = {
  title: "Organization",
  cell: ({ organizationId }) => <OrganizationName id={organizationId} />
}

/** The payments of an organization or of all, newest first. */
export const Payments = () => {
  const organizationId = useOrganizationId()
  const { caseId, status } = route.useSearch()
  const navigate = route.useNavigate()
  const query = {
    ...(organizationId !== undefined && { organizationId }),
    ...(caseId !== undefined && { caseId }),
    ...(status !== undefined && { status })
  }
  const list = useList([...paymentsKey, query], (cursor: PagePosition | undefined) =>
    adminPayments.list({ query: { ...query, limit: 50, ...(cursor !== undefined && { cursor }) } })
  )
  return (
    <Page title="Payments">
      <div className="grid gap-3 sm:grid-cols-[12rem_minmax(0,24rem)]">
        <Choice
          label="Status"
          value={status ?? "ALL"}
          options={statuses}
          onChange={(next) => void navigate({ search: { caseId, status: next === "ALL" ? undefined : next } })}
        />
        <CaseField value={caseId} onChange={(next) => void navigate({ search: { caseId: next, status } })} />
      </div>
      <PagedList
        list={list}
        empty={
          <Empty title="No payments">
            {status === undefined && caseId === undefined
              ? "Payments appear here when partners' patients pay."
              : "No payment fits these filters. Take one of them away."}
          </Empty>
        }
      >
        {(rows) => (
          <DataTable
            caption="Payments"
            columns={organizationId === undefined ? [...columns, ofAll] : columns}
            rows={rows}
            keyOf={({ paymentId }) => paymentId}
          />
        )}
      </PagedList>
    </Page>
  )
}
