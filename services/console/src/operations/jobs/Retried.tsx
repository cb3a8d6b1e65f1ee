import type { Refusal } from "./RetryJobs.tsx"

interface RetriedProps {
  readonly result: { readonly retried: number; readonly refusals: ReadonlyArray<Refusal> } | undefined
}

/** Says how many jobs were repeated, and which were refused and why. */
export const Retried = ({ result }: RetriedProps) => (
  <div role="status" className="empty:hidden">
    {result === undefined ? null : (
      <div className="flex flex-col gap-1 rounded-md bg-raised p-3">
        <p>{result.retried === 1 ? "1 job runs again." : `${result.retried} jobs run again.`}</p>
        {result.refusals.map(({ error, job }) => (
          <p key={job.id} className="break-words text-bad">
            {job.queue} of {job.service}: {error.message}
          </p>
        ))}
      </div>
    )}
  </div>
)
