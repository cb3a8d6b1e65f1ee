import type { AuditRecord } from "@care/domain/audit"
import { auditActions } from "@care/domain/audit/auditActions"
import type { CellsPosition, PagePosition } from "@care/domain/http"
import { useList } from "../../client/useList.ts"
import { useOrganizationId } from "../../session/chosenOrganization.ts"
import { Badge } from "../../ui/Badge.tsx"
import { type Column, DataTable } from "../../ui/DataTable.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { PagedList } from "../../ui/PagedList.tsx"
import { inWords } from "../../ui/words.ts"
import { OrganizationName } from "../OrganizationName.tsx"
import { timeIn } from "../timeIn.ts"
import { ActorName } from "./ActorName.tsx"
import type { AuditSearch } from "./AuditSearch.ts"
import { audit } from "./auditClient.ts"
import { RecordFilters } from "./RecordFilters.tsx"
import { RecordSubject } from "./RecordSubject.tsx"

interface AuditRecordsProps {
  readonly search: AuditSearch
  readonly onChange: (search: AuditSearch) => void
}

const columns: ReadonlyArray<Column<AuditRecord>> = [
  { title: "When", cell: ({ at }) => <Moment at={at} /> },
  { title: "Who", cell: ({ actor, organizationId }) => <ActorName actor={actor} organizationId={organizationId} /> },
  {
    title: "What",
    cell: ({ action, kinds }) => (
      <>
        {auditActions[action].summary}
        {action === "GLASS_BROKEN" || kinds.includes("BREAK_GLASS") ? (
          <>
            {" "}
            <Badge look="warn" text="Broken glass" />
          </>
        ) : null}
      </>
    )
  },
  { title: "Whose", cell: (record) => <RecordSubject record={record} /> },
  {
    title: "Kinds of data",
    cell: ({ kinds }) =>
      kinds
        .filter((kind) => kind !== "BREAK_GLASS")
        .map(inWords)
        .join(", ")
  },
  {
    title: "Request",
    cell: ({ requestId, service }) => (
      <span className="text-sm">
        <code className="break-all">{requestId}</code> <span className="text-muted">in {service}</span>
      </span>
    )
  }
]

const ofAll: Column<AuditRecord> = {
  title: "Organization",
  cell: ({ organizationId }) => <OrganizationName id={organizationId} />
}

/** Who read or changed what, newest first. */
export const AuditRecords = ({ onChange, search }: AuditRecordsProps) => {
  const organizationId = useOrganizationId()
  const { action, actorId, caseId, patientId } = search
  const [from, to] = [timeIn(search.from), timeIn(search.to)]
  const query = {
    limit: 50,
    ...(organizationId !== undefined && { organizationId }),
    ...(actorId !== undefined && { actorId }),
    ...(action !== undefined && { action }),
    ...(caseId !== undefined && { caseId }),
    ...(patientId !== undefined && { userId: patientId }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to })
  }
  const list = useList(["audit-records", query], (cursor: CellsPosition<PagePosition> | undefined) =>
    audit.list({ query: { ...query, ...(cursor !== undefined && { cursor }) } })
  )
  return (
    <>
      <RecordFilters search={search} onChange={onChange} />
      <PagedList
        list={list}
        empty={<Empty title="No records">Nobody read or changed anything that fits these filters.</Empty>}
      >
        {(rows) => (
          <DataTable
            caption="Audit records"
            columns={organizationId === undefined ? [...columns, ofAll] : columns}
            rows={rows}
            keyOf={({ id, service }) => `${service} ${id}`}
          />
        )}
      </PagedList>
    </>
  )
}
