import type { ApiKey } from "@care/domain/auth"
import type { PagePosition } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { useState } from "react"
import { useList } from "../../client/useList.ts"
import { useMay } from "../../session/useMay.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Choice } from "../../ui/Choice.tsx"
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

const views = [
  { value: "true", text: "Keys in use" },
  { value: "false", text: "Ended keys" }
] as const

/** The API keys of an organization: those that work, or those that were revoked or have expired. */
export const Keys = ({ organizationId }: { readonly organizationId: OrganizationId }) => {
  const may = useMay()
  const [isActive, setActive] = useState<"true" | "false">("true")
  const list = useList([...keysKey(organizationId), isActive], (cursor: PagePosition | undefined) =>
    apiKeys.list({
      params: { organizationId },
      query: { limit: 50, isActive, ...(cursor !== undefined && { cursor }) }
    })
  )
  const actions = (key: ApiKey) =>
    stateOf(key).text === "Active" ? <KeyActions apiKey={key} organizationId={organizationId} /> : null
  return (
    <PartList
      caption="API keys"
      list={list}
      columns={columns}
      actions={isActive === "true" && may("apiKeys", "revoke") ? actions : undefined}
      choice={<Choice label="Which keys" isLabelHidden value={isActive} options={views} onChange={setActive} />}
      add={may("apiKeys", "issue") ? <IssueKey organizationId={organizationId} /> : null}
      empty={
        isActive === "true" ? (
          <Empty title="There is no API key in use">Issue one for the servers that call the partner API.</Empty>
        ) : (
          <Empty title="No API key has ended" />
        )
      }
    />
  )
}
