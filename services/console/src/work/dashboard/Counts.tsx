import { DashboardApi } from "@care/domain/admin"
import type { Dashboard } from "@care/domain/cases"
import type { OrganizationId } from "@care/domain/ids"
import { useQuery } from "@tanstack/react-query"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"
import { send } from "../../client/send.ts"
import { useSession } from "../../session/useSession.ts"
import { sections } from "../../shell/sections.ts"
import { Failure } from "../../ui/Failure.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { dashboardKey } from "../caseChanged.ts"
import { CountTile } from "./CountTile.tsx"
import { type Counted, otherCounts, waitingCounts } from "./counted.ts"

const { dashboard } = Effect.runSync(clientOf(DashboardApi))

interface CountsProps {
  readonly organizationId: OrganizationId
}

/** How much there is to do, each count with the way to it. */
export const Counts = ({ organizationId }: CountsProps) => {
  const { role } = useSession().user
  const counts = useQuery({
    queryKey: [dashboardKey, organizationId],
    queryFn: ({ signal }) => send(dashboard.read({ query: { organizationId } }), signal),
    refetchInterval: 30_000
  })
  const maySee = (to: string) => sections.some((section) => section.to === to && section.isFor(role))
  const tiles = (title: string, rows: ReadonlyArray<Counted>, read: Dashboard) => (
    <section aria-label={title} className="flex flex-col gap-3">
      <h2 className="font-semibold">{title}</h2>
      <ul className="grid grid-cols-2 gap-3 md:grid-cols-4">
        {rows.map((row) => (
          <li key={row.title}>
            <CountTile
              title={row.title}
              count={row.of(read)}
              look={row.look}
              to={maySee(row.to) ? row.to : undefined}
              search={row.search}
            />
          </li>
        ))}
      </ul>
    </section>
  )
  return (
    <>
      {counts.error === null ? null : <Failure error={counts.error} onRetry={() => void counts.refetch()} />}
      {counts.data === undefined ? (
        counts.error === null && <Skeleton lines={6} />
      ) : (
        <>
          {tiles("Cases that wait for a provider", waitingCounts, counts.data)}
          {tiles("Everything else", otherCounts, counts.data)}
        </>
      )}
    </>
  )
}
