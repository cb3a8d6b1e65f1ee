import { BreakGlassApi } from "@care/domain/admin"
import type { BreakGlass } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import { Link } from "@tanstack/react-router"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"
import { organizationNow } from "../../client/clock.ts"
import { useList } from "../../client/useList.ts"
import { useOrganizationId } from "../../session/chosenOrganization.ts"
import { Badge } from "../../ui/Badge.tsx"
import { type Column, DataTable } from "../../ui/DataTable.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { linkLook } from "../../ui/linkLook.ts"
import { Moment } from "../../ui/Moment.tsx"
import { PagedList } from "../../ui/PagedList.tsx"
import { ActorName } from "./ActorName.tsx"

const { breakGlass } = Effect.runSync(clientOf(BreakGlassApi))

const columns: ReadonlyArray<Column<BreakGlass>> = [
  { title: "When", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    title: "Who",
    cell: ({ organizationId, userId }) => (
      <ActorName actor={{ type: "USER", id: userId }} organizationId={organizationId} />
    )
  },
  {
    title: "Why",
    cell: ({ reason }) => (
      <span dir="auto" className="block max-w-prose break-words whitespace-pre-wrap">
        {reason}
      </span>
    )
  },
  {
    title: "Access",
    cell: ({ expiresAt }) =>
      expiresAt.getTime() > organizationNow() ? (
        <Badge look="warn" text="Still open" />
      ) : (
        <>
          Ended <Moment at={expiresAt} />
        </>
      )
  },
  {
    title: "Records",
    cell: ({ caseId }) => (
      <Link to="/audit" search={{ caseId }} className={linkLook}>
        What was done in the case
      </Link>
    )
  }
]

/** Which cases were opened by breaking the glass, newest first. */
export const BrokenGlass = () => {
  const organizationId = useOrganizationId()
  const query = { limit: 50, ...(organizationId !== undefined && { organizationId }) }
  const list = useList(["break-glass", query], (cursor: PagePosition | undefined) =>
    breakGlass.list({ query: { ...query, ...(cursor !== undefined && { cursor }) } })
  )
  return (
    <PagedList
      list={list}
      empty={
        <Empty title="Nobody broke the glass">
          Providers who open a case that is not theirs, in an emergency, are listed here with their reason.
        </Empty>
      }
    >
      {(rows) => <DataTable caption="Broken glass" columns={columns} rows={rows} keyOf={({ id }) => id} />}
    </PagedList>
  )
}
