import type { AuditRecord } from "@care/domain/audit"
import type { CellsPosition, PagePosition } from "@care/domain/http"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { useList } from "../../client/useList.ts"
import { type Column, DataTable } from "../../ui/DataTable.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { PagedList } from "../../ui/PagedList.tsx"
import { Panel } from "../../ui/Panel.tsx"
import { ActorName } from "../audit/ActorName.tsx"
import { audit } from "../audit/auditClient.ts"
import { paymentKey } from "./paymentQueries.ts"

interface CaseChangesProps {
  readonly organizationId: OrganizationId
  readonly caseId: CaseId
}

const columns: ReadonlyArray<Column<AuditRecord>> = [
  { title: "When", cell: ({ at }) => <Moment at={at} /> },
  { title: "Who", cell: ({ actor, organizationId }) => <ActorName actor={actor} organizationId={organizationId} /> },
  { title: "Request", cell: ({ requestId }) => <code className="text-sm break-all">{requestId}</code> }
]

/** Who changed the payments of a case, from the audit. */
export const CaseChanges = ({ caseId, organizationId }: CaseChangesProps) => {
  const list = useList([...paymentKey, "changes", caseId], (cursor: CellsPosition<PagePosition> | undefined) =>
    audit.list({
      query: {
        organizationId,
        caseId,
        action: "PAYMENT_CHANGED",
        limit: 50,
        ...(cursor !== undefined && { cursor })
      }
    })
  )
  return (
    <Panel title="Who changed payments of this case">
      <PagedList list={list} empty={<p className="text-muted">Nobody has.</p>}>
        {(rows) => <DataTable caption="Changes" columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </PagedList>
    </Panel>
  )
}
