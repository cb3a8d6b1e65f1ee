import type { ApiKey } from "@care/domain/auth"
import type { PagePosition } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { useList } from "../../client/useList.ts"
import { useMay } from "../../session/useMay.ts"
import { Badge } from "../../ui/Badge.tsx"
import type { Column } from "../../ui/DataTable.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { PartList } from "../PartList.tsx"
import { IssueKey } from "./IssueKey.tsx"
import { KeyActions } from "./KeyActions.tsx"
import { apiKeys, keysKey } from "./keyQueries.ts"

const stateOf = ({ expiresAt, revokedAt }: ApiKey) =>
  revokedAt !== null
    ? ({ text: "Revoked", look: "bad" } as const)
    : expiresAt !== null && expiresAt.getTime() < Date.now()
      ? ({ text: "Expired", look: "warn" } as const)
      : ({ text: "Active", look: "good" } as const)

const columns: ReadonlyArray<Column<ApiKey>> = [
  {
    title: "Key",
    cell: ({ label, prefix }) => (
      <span className="flex flex-col">
        <span dir="auto">{label ?? "No label"}</span>
        <code className="text-sm text-muted">{prefix}…</code>
      </span>
    )
  },
  { title: "Mode", cell: ({ mode }) => (mode === "test" ? <Badge look="warn" text="Test" /> : "Live") },
  { title: "State", cell: (key) => <Badge {...stateOf(key)} /> },
  {
    title: "May",
    cell: ({ allowedNetworks, scopes }) => (
      <span className="flex flex-col text-sm">
        <span>{scopes === null ? "Everything" : scopes.join(", ")}</span>
        {allowedNetworks === null ? null : <span className="text-muted">From {allowedNetworks.join(", ")}</span>}
      </span>
    )
  },
  { title: "Created", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: "Last used", cell: ({ lastUsedAt }) => (lastUsedAt === null ? "Never" : <Moment at={lastUsedAt} />) },
  { title: "Expires", cell: ({ expiresAt }) => (expiresAt === null ? "Never" : <Moment at={expiresAt} />) }
]

/** The API keys of an organization. */
export const Keys = ({ organizationId }: { readonly organizationId: OrganizationId }) => {
  const may = useMay()
  const list = useList(keysKey(organizationId), (cursor: PagePosition | undefined) =>
    apiKeys.list({ params: { organizationId }, query: { limit: 50, ...(cursor !== undefined && { cursor }) } })
  )
  const actions = (key: ApiKey) =>
    stateOf(key).text === "Active" ? <KeyActions apiKey={key} organizationId={organizationId} /> : null
  return (
    <PartList
      caption="API keys"
      list={list}
      columns={columns}
      actions={may("apiKeys", "revoke") ? actions : undefined}
      add={may("apiKeys", "issue") ? <IssueKey organizationId={organizationId} /> : null}
      empty={<Empty title="There is no API key yet">Issue one for the servers that call the partner API.</Empty>}
    />
  )
}
