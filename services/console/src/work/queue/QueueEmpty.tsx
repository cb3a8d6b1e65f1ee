import type { Dashboard } from "@care/domain/cases"
import { Link } from "@tanstack/react-router"
import { useSession } from "../../session/useSession.ts"
import { Empty } from "../../ui/Empty.tsx"
import { linkLook } from "../../ui/linkLook.ts"
import { counted } from "../../ui/words.ts"
import { mineOf, type QueueView } from "./queueViews.ts"

const nothing: Readonly<Record<QueueView, { readonly title: string; readonly text: string }>> = {
  waiting: {
    title: "No case waits",
    text: "New ones appear here by themselves. Cases that have a provider are in “All open”."
  },
  mine: { title: "You have no open case", text: "Claim one from “Waiting”, by its button or the key c." },
  assigned: { title: "No case waits for its provider", text: "Cases appear here when they get one." },
  begun: { title: "No case is in progress", text: "Cases appear here when their provider starts." },
  open: { title: "No case is open", text: "Cases appear here when patients send them." }
}

interface QueueEmptyProps {
  readonly view: QueueView
  /** Undefined while they are not known. */
  readonly counts: Dashboard | undefined
}

/** Says that a view of the queue is empty, and to a provider how many cases they have all the same. */
export const QueueEmpty = ({ counts, view }: QueueEmptyProps) => {
  const { role } = useSession().user
  const mine = counts === undefined || role !== "PROVIDER" || view === "mine" ? 0 : mineOf(counts)
  return (
    <Empty title={nothing[view].title}>
      {nothing[view].text}{" "}
      {mine === 0 ? null : (
        <Link to="/queue" search={{ show: "mine" }} className={linkLook}>
          “Mine” has {counted(mine, "case")}.
        </Link>
      )}
    </Empty>
  )
}
