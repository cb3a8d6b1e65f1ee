import type { CaseAge } from "@care/domain/cases"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import type { ListState } from "../../client/useList.ts"
import { Button } from "../../ui/Button.tsx"
import { classes } from "../../ui/classes.ts"
import { counted } from "../../ui/words.ts"
import { queueKey } from "../caseChanged.ts"
import { maxNewCases, useNewCases } from "./queue.ts"
import type { QueueFilter, QueueOrder } from "./queueViews.ts"
import type { Settled } from "./settled.ts"

interface QueueNoticeProps {
  readonly filter: QueueFilter
  readonly order: QueueOrder
  readonly age: CaseAge | undefined
  readonly list: Pick<ListState<unknown>, "hasMore" | "pageCount">
  readonly changes: Pick<Settled<{ readonly id: string }>, "added" | "gone" | "held">
  readonly onUpdate: () => void
}

/** Says what has changed since the list was shown, and shows it when the person wants to see it. */
export const QueueNotice = ({
  age,
  changes: { added, gone, held },
  filter,
  list,
  onUpdate,
  order
}: QueueNoticeProps) => {
  const client = useQueryClient()
  const navigate = useNavigate({ from: "/queue" })
  // New cases that are beyond what is loaded.
  const isOfNew = age === undefined || age === "underOneHour"
  const beyond = useNewCases(filter, isOfNew && (list.pageCount > 1 || (order === "urgent" && list.hasMore)))
  const showBeyond = () =>
    order === "urgent"
      ? navigate({ search: (before) => ({ ...before, order: "newest" }) })
      : client.resetQueries({ queryKey: [queueKey] })
  const changed = [
    ...(held > 0 ? [`${counted(held, "new case")} between these.`] : []),
    ...(gone.size > 0 ? [`${counted(gone.size, "case")} left the list.`] : [])
  ]
  const isShown = beyond > 0 || changed.length > 0
  return (
    // Its place is kept, so that the rows below do not move when there is something to say.
    <div
      className={classes(
        "flex min-h-11 flex-wrap items-center gap-3 rounded-md px-3 py-2",
        isShown && "bg-accent-soft"
      )}
    >
      <p role="status">
        {added > 0 ? <span className="sr-only">{counted(added, "more case")} at the end of the list.</span> : null}
        {beyond > 0 ? `${beyond < maxNewCases ? "" : "At least "}${counted(beyond, "new case")}. ` : null}
        {changed.join(" ")}
      </p>
      {beyond > 0 ? (
        <Button isSmall onPress={() => void showBeyond()}>
          Show the newest
        </Button>
      ) : null}
      {changed.length > 0 ? (
        <Button isSmall onPress={onUpdate}>
          Update the list
        </Button>
      ) : null}
    </div>
  )
}
