import { getRouteApi, Link } from "@tanstack/react-router"
import { useOrganizationId } from "../../session/chosenOrganization.ts"
import { useSession } from "../../session/useSession.ts"
import { Page } from "../../ui/Page.tsx"
import { PagedList } from "../../ui/PagedList.tsx"
import { Views, viewLook } from "../../ui/Views.tsx"
import { QueueEmpty } from "./QueueEmpty.tsx"
import { QueueRows } from "./QueueRows.tsx"
import { useQueue, useQueueChanges } from "./queue.ts"
import { ageTitles, type QueueSearch, queueFilter, queueViews } from "./queueViews.ts"
import { useOpening } from "./useOpening.ts"

const route = getRouteApi("/shell/queue")

/** The cases that are not done, by their urgency. */
export const Queue = () => {
  const { age, order = "urgent", show } = route.useSearch()
  const { user } = useSession()
  const organizationId = useOrganizationId()
  const changes = useQueueChanges(organizationId)
  const opening = useOpening(changes, user.role)
  const view = show ?? opening
  const filter = queueFilter(view ?? "waiting", organizationId, user.id)
  const list = useQueue(filter, { age, order, isEnabled: view !== undefined })
  const views = queueViews.filter(({ role = user.role }) => role === user.role)
  const shownView: QueueSearch = view === undefined ? {} : { show: view }
  const shown: QueueSearch = age === undefined ? shownView : { ...shownView, age }
  const otherOrder = order === "urgent" ? "newest" : "urgent"
  return (
    <Page title="Queue">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Views label="Which cases">
          {views.map(({ title, view: show }) => (
            <Link
              key={show}
              to="/queue"
              search={{ show, order }}
              aria-current={show === view ? "page" : undefined}
              className={viewLook}
            >
              {title}
            </Link>
          ))}
        </Views>
        <Link to="/queue" search={{ ...shown, order: otherOrder }} className="px-2 text-accent underline">
          {order === "urgent" ? "Show newest first" : "Show most urgent first"}
        </Link>
      </div>
      {age === undefined ? null : (
        <p className="flex flex-wrap gap-x-3">
          Only cases of this age: {ageTitles[age].toLowerCase()}.
          <Link to="/queue" search={{ ...shownView, order }} className="text-accent underline">
            Show all ages
          </Link>
        </p>
      )}
      <PagedList list={list}>
        {(rows) => (
          <QueueRows
            key={JSON.stringify([filter, order, age])}
            rows={rows}
            list={list}
            filter={filter}
            order={order}
            age={age}
            empty={<QueueEmpty view={view ?? "waiting"} counts={changes.data?.counts} />}
          />
        )}
      </PagedList>
    </Page>
  )
}
