import type { Job } from "@care/domain/jobs/Job"
import { useQueryClient } from "@tanstack/react-query"
import { send } from "../../client/send.ts"
import { Confirmation } from "../../ui/Confirmation.tsx"
import { jobs, jobsKey } from "./jobQueries.ts"

export interface Refusal {
  readonly job: Job
  readonly error: Error
}

interface RetryJobsProps {
  readonly chosen: ReadonlyArray<Job>
  readonly onClose: () => void
  /** Called after all were tried, with those that were refused. */
  readonly onDone: (retried: ReadonlyArray<Job>, refusals: ReadonlyArray<Refusal>) => void
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** Asks before jobs that were given up are repeated, one after the other. */
export const RetryJobs = ({ chosen, onClose, onDone }: RetryJobsProps) => {
  const client = useQueryClient()
  const retryAll = async () => {
    const refusals: Array<Refusal> = []
    for (const job of chosen) {
      await send(jobs.retry({ params: { jobId: job.id } })).catch((error: unknown) => {
        refusals.push({ job, error: asError(error) })
      })
    }
    await client.invalidateQueries({ queryKey: jobsKey })
    onDone(
      chosen.filter((job) => !refusals.some((refusal) => refusal.job === job)),
      refusals
    )
  }
  return (
    <Confirmation
      title={chosen.length === 1 ? "Repeat a job" : "Repeat jobs"}
      action={chosen.length === 1 ? "Repeat it" : `Repeat ${chosen.length} jobs`}
      isOpen={chosen.length > 0}
      onClose={onClose}
      onConfirm={retryAll}
    >
      <p>Each of them runs at once, with all its attempts anew:</p>
      <ul className="max-h-60 list-disc overflow-auto pl-5">
        {chosen.map(({ attempts, id, queue, service }) => (
          <li key={id} className="break-words">
            {queue} of {service}, which failed {attempts} times
          </li>
        ))}
      </ul>
    </Confirmation>
  )
}
