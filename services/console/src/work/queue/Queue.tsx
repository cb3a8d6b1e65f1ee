import { getRouteApi, Link } from "@tanstack/react-router"
import { useOrganizationId } from "../../session/chosenOrganization.ts"
import { useSession } from "../../session/useSession.ts"
import { Empty } from "../../ui/Empty.tsx"
import { Page } from "../../ui/Page.tsx"
import { PagedList } from "../../ui/PagedList.tsx"
import { Views, viewLook } from "../../ui/Views.tsx"
import { QueueRows } from "./QueueRows.tsx"
import { useQueue, useQueueChanges } from "./queue.ts"
import { type QueueView, queueFilter, queueViews } from "./queueViews.ts"

const route = getRouteApi("/shell/queue")

const nothing: Readonly<Record<QueueView, { readonly title: string; readonly text: string }>> = {
  waiting: {
    title: "No case waits",
    text: "New ones appear here by themselves. Cases that have a provider are in “All open”."
  },
  mine: { title: "You have no open case", text: "Claim one from “Waiting”, by its button or the key c." },
  open: { title: "No case is open", text: "Cases appear here when patients send them." }
}

/** The cases that are not done, by their age. */
export const Queue = () => {
  const { order = "oldest", show: view = "waiting" } = route.useSearch()
  const { user } = useSession()
  const organizationId = useOrganizationId()
  const filter = queueFilter(view, organizationId, user.id)
  const list = useQueue(filter, order)
  useQueueChanges(organizationId)
  const views = queueViews.filter(({ role = user.role }) => role === user.role)
  const otherOrder = order === "oldest" ? "newest" : "oldest"
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
        <Link to="/queue" search={{ show: view, order: otherOrder }} className="px-2 text-accent underline">
          {order === "oldest" ? "Show newest first" : "Show oldest first"}
        </Link>
      </div>
      <PagedList list={list}>
        {(rows) => (
          <QueueRows
            key={JSON.stringify([filter, order])}
            rows={rows}
            list={list}
            filter={filter}
            order={order}
            empty={<Empty title={nothing[view].title}>{nothing[view].text}</Empty>}
          />
        )}
      </PagedList>
    </Page>
  )
}
