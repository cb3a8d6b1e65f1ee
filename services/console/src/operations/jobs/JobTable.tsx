import type { Job } from "@care/domain/jobs/Job"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { type Column, DataTable } from "../../ui/DataTable.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { Tick } from "../../ui/Tick.tsx"
import { OrganizationName } from "../OrganizationName.tsx"
import { jobStates } from "./jobQueries.ts"

interface JobTableProps {
  readonly rows: ReadonlyArray<Job>
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (job: Job, isChosen: boolean) => void
  readonly onRetry: (job: Job) => void
}

const columns: ReadonlyArray<Column<Job>> = [
  {
    title: "Queue",
    cell: ({ id, queue, service }) => (
      <span title={id}>
        {queue} <span className="text-sm text-muted">of {service}</span>
      </span>
    )
  },
  { title: "State", cell: ({ state }) => <Badge {...jobStates[state]} /> },
  {
    title: "Organization",
    cell: ({ organizationId }) => (organizationId === null ? "None" : <OrganizationName id={organizationId} />)
  },
  { title: "Attempts", isNumber: true, cell: ({ attempts }) => attempts },
  {
    title: "Cause",
    cell: ({ lastFailure, requestId }) => (
      <span dir="auto" title={`Request ${requestId}`} className="line-clamp-4 text-sm break-words">
        {lastFailure ?? "-"}
      </span>
    )
  },
  { title: "Made", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    title: "Due or ended",
    cell: ({ dueAt, endedAt }) => <Moment at={endedAt ?? dueAt} />
  }
]

/** Jobs; those that were given up can be chosen and repeated. */
export const JobTable = ({ chosen, onChoose, onRetry, rows }: JobTableProps) => {
  const choice: Column<Job> = {
    title: "Choose",
    cell: (job) => (
      <Tick
        aria-label={`Choose ${job.queue} of ${job.service}`}
        isSelected={chosen.has(job.id)}
        onChange={(isChosen) => onChoose(job, isChosen)}
      />
    )
  }
  const action: Column<Job> = {
    title: "Action",
    cell: (job) => (
      <Button isSmall aria-label={`Repeat ${job.queue} of ${job.service}`} onPress={() => onRetry(job)}>
        Repeat
      </Button>
    )
  }
  const isFailed = rows.some(({ state }) => state === "failed")
  return (
    <DataTable
      caption="Jobs"
      columns={isFailed ? [choice, ...columns, action] : columns}
      rows={rows}
      keyOf={({ id }) => id}
    />
  )
}
