import { TroublesApi } from "@care/domain/admin"
import type { TroublesPosition } from "@care/domain/cases"
import type { CellsPosition } from "@care/domain/http"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"
import { useList } from "../../client/useList.ts"
import { Empty } from "../../ui/Empty.tsx"
import { PagedList } from "../../ui/PagedList.tsx"
import { TroublesTable } from "./TroublesTable.tsx"

const { troubles } = Effect.runSync(clientOf(TroublesApi))

/** The organizations at which something is wrong, for operators who look at all of them. */
export const Troubles = () => {
  const list = useList(
    ["troubles"],
    (cursor: CellsPosition<TroublesPosition> | undefined) =>
      troubles.list({ query: { limit: 20, ...(cursor !== undefined && { cursor }) } }),
    { refetchMillis: 30_000 }
  )
  return (
    <section aria-labelledby="troubles" className="flex flex-col gap-3">
      <h2 id="troubles" className="font-semibold">
        Organizations with troubles
      </h2>
      <PagedList
        list={list}
        empty={
          <Empty title="Nothing is wrong">
            No organization has webhooks that fail, orders in error, open escalations, or cases that wait for over a
            day.
          </Empty>
        }
      >
        {(rows) => <TroublesTable rows={rows} />}
      </PagedList>
    </section>
  )
}
