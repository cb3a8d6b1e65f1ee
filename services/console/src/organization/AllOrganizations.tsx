import type { PagePosition } from "@care/domain/http"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useList } from "../client/useList.ts"
import { organizationsQuery } from "../shell/organizationsQuery.ts"
import { Empty } from "../ui/Empty.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Field } from "../ui/Field.tsx"
import { Page } from "../ui/Page.tsx"
import { PagedList } from "../ui/PagedList.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { WindowButton } from "../ui/WindowButton.tsx"
import { counted } from "../ui/words.ts"
import { NewOrganizationForm } from "./NewOrganizationForm.tsx"
import { OrganizationsTable } from "./OrganizationsTable.tsx"
import { organizations, organizationsKey } from "./organizationQueries.ts"

const create = (
  <WindowButton text="New organization" title="New organization" look="primary">
    {(close) => <NewOrganizationForm onClose={close} />}
  </WindowButton>
)

/** All organizations of the platform, for operators. */
export const AllOrganizations = () => {
  const [typed, setTyped] = useState("")
  const sought = typed.trim().toLowerCase()
  const list = useList([...organizationsKey, "list"], (cursor: PagePosition | undefined) =>
    organizations.list({ query: { limit: 50, ...(cursor !== undefined && { cursor }) } })
  )
  const all = useQuery({ ...organizationsQuery, enabled: sought !== "" })
  const found = all.data?.filter(({ id, name }) => name.toLowerCase().includes(sought) || id === sought)
  return (
    <Page title="Organizations" actions={create}>
      <div className="max-w-md">
        <Field label="Search" type="search" value={typed} onChange={setTyped} hint="A part of the name, or the id." />
      </div>
      {sought === "" ? (
        <PagedList list={list} empty={<Empty title="There is no organization yet">Create the first one.</Empty>}>
          {(rows) => <OrganizationsTable rows={rows} />}
        </PagedList>
      ) : found !== undefined ? (
        <>
          <p role="status" className="text-sm text-muted">{`${counted(found.length, "organization")} found`}</p>
          {found.length === 0 ? null : <OrganizationsTable rows={found} />}
        </>
      ) : all.error === null ? (
        <Skeleton lines={6} />
      ) : (
        <Failure error={all.error} onRetry={() => void all.refetch()} />
      )}
    </Page>
  )
}
