import type { Dashboard } from "@care/domain/cases"
import type { OrganizationId } from "@care/domain/ids"
import { useSession } from "../../session/useSession.ts"
import { sectionsOf } from "../../shell/sections.ts"
import { Failure } from "../../ui/Failure.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { CountTile } from "./CountTile.tsx"
import { assignedCounts, type Counted, otherCounts, waitingCounts } from "./counted.ts"
import { useDashboard } from "./useDashboard.ts"

interface CountsProps {
  readonly organizationId: OrganizationId
}

/** How much there is to do, each count with the way to it. */
export const Counts = ({ organizationId }: CountsProps) => {
  const { role } = useSession().user
  const counts = useDashboard(organizationId, { refetchMillis: 30_000 })
  const maySee = ({ to }: Counted) => sectionsOf(role).some((section) => section.to === to)
  const tiles = (title: string, all: ReadonlyArray<Counted>, read: Dashboard) => {
    const rows = all.filter(maySee)
    return rows.length === 0 ? null : (
      <section aria-label={title} className="flex flex-col gap-3">
        <h2 className="font-semibold">{title}</h2>
        <ul className="grid grid-cols-2 gap-3 md:grid-cols-4">
          {rows.map((row) => (
            <li key={row.title}>
              <CountTile title={row.title} count={row.of(read)} look={row.look} to={row.to} search={row.search} />
            </li>
          ))}
        </ul>
      </section>
    )
  }
  return (
    <>
      {counts.error === null ? null : <Failure error={counts.error} onRetry={() => void counts.refetch()} />}
      {counts.data === undefined || counts.data === null ? (
        counts.error === null && <Skeleton lines={6} />
      ) : (
        <>
          {tiles("Cases that wait for a provider", waitingCounts, counts.data.counts)}
          {tiles(role === "PROVIDER" ? "Waiting for me" : "Assigned, not begun", assignedCounts, counts.data.counts)}
          {tiles("Everything else", otherCounts, counts.data.counts)}
        </>
      )}
    </>
  )
}
