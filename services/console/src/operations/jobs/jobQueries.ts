import { JobsApi } from "@care/domain/admin"
import type { CellsPosition, PagePosition } from "@care/domain/http"
import type { Job } from "@care/domain/jobs/Job"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"
import { useList } from "../../client/useList.ts"
import type { BadgeLook } from "../../ui/Badge.tsx"

/** The client of jobs. */
export const { jobs } = Effect.runSync(clientOf(JobsApi))

/** The key of all lists of jobs. */
export const jobsKey = ["jobs"] as const

/** The states of jobs in words. */
export const jobStates: Readonly<Record<Job["state"], { readonly text: string; readonly look: BadgeLook }>> = {
  failed: { text: "Given up", look: "bad" },
  pending: { text: "Waiting", look: "warn" },
  running: { text: "Running", look: "accent" },
  completed: { text: "Done", look: "good" },
  cancelled: { text: "Cancelled", look: "plain" }
}

/** The jobs of all services in a state, newest first. They are read again every 10 seconds. */
export const useJobs = (state: Job["state"], queue: string) =>
  useList(
    [...jobsKey, state, queue],
    (cursor: CellsPosition<PagePosition> | undefined) =>
      jobs.list({
        query: { limit: 50, state, ...(queue !== "" && { queue }), ...(cursor !== undefined && { cursor }) }
      }),
    { refetchMillis: 10_000 }
  )
