import { AdminGatewayEventsApi } from "@care/domain/admin"
import type { PagePosition } from "@care/domain/http"
import type { PaymentId } from "@care/domain/ids"
import type { ReceivedEvent } from "@care/domain/payments"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"
import { useList } from "../../client/useList.ts"
import { type Column, DataTable } from "../../ui/DataTable.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { PagedList } from "../../ui/PagedList.tsx"
import { Panel } from "../../ui/Panel.tsx"
import { inWords } from "../../ui/words.ts"
import { PaymentState } from "./PaymentState.tsx"
import { paymentKey } from "./paymentQueries.ts"

const { adminGatewayEvents } = Effect.runSync(clientOf(AdminGatewayEventsApi))

const columns: ReadonlyArray<Column<ReceivedEvent>> = [
  { title: "Event", cell: ({ type }) => type },
  { title: "Result", cell: ({ result }) => inWords(result) },
  { title: "Status after it", cell: ({ status }) => (status === null ? "-" : <PaymentState status={status} />) },
  { title: "Received", cell: ({ createdAt }) => <Moment at={createdAt} /> }
]

/** What the payment gateway told of a payment in the last 90 days. */
export const GatewayEvents = ({ paymentId }: { readonly paymentId: PaymentId }) => {
  const list = useList([...paymentKey, paymentId, "events"], (cursor: PagePosition | undefined) =>
    adminGatewayEvents.list({ query: { paymentId, limit: 50, ...(cursor !== undefined && { cursor }) } })
  )
  return (
    <Panel title="Events of the payment gateway">
      <PagedList list={list} empty={<p className="text-muted">None in the last 90 days.</p>}>
        {(rows) => <DataTable caption="Events" columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </PagedList>
    </Panel>
  )
}
