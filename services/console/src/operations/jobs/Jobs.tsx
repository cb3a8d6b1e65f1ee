import { type Job, JobState } from "@care/domain/jobs/Job"
import { getRouteApi } from "@tanstack/react-router"
import { useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Choice } from "../../ui/Choice.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { Page } from "../../ui/Page.tsx"
import { PagedList } from "../../ui/PagedList.tsx"
import { JobTable } from "./JobTable.tsx"
import { jobStates, useJobs } from "./jobQueries.ts"
import { QueueField } from "./QueueField.tsx"
import { Retried } from "./Retried.tsx"
import { type Refusal, RetryJobs } from "./RetryJobs.tsx"

const route = getRouteApi("/shell/jobs")

const states = JobState.literals.map((value) => ({ value, text: jobStates[value].text }))

const empty = {
  failed: "No job was given up. Those that are appear here, with the cause.",
  pending: "No job waits.",
  running: "No job runs right now.",
  completed: "No job was done in the last 7 days.",
  cancelled: "No job was cancelled in the last 7 days."
}

/** The background work of all services, above all what was given up. */
export const Jobs = () => {
  const { queue = "", state = "failed" } = route.useSearch()
  const navigate = route.useNavigate()
  const list = useJobs(state, queue)
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState<ReadonlyArray<Job>>([])
  const [result, setResult] = useState<{ readonly retried: number; readonly refusals: ReadonlyArray<Refusal> }>()
  const rows = list.rows ?? []
  const chosen = rows.filter(({ id }) => chosenIds.has(id))
  const failed = rows.filter((job) => job.state === "failed")
  return (
    <Page
      title="Jobs"
      actions={
        state === "failed" ? (
          <>
            <Button
              isDisabled={failed.length === 0}
              onPress={() => setChosenIds(new Set(chosen.length === failed.length ? [] : failed.map(({ id }) => id)))}
            >
              {chosen.length > 0 && chosen.length === failed.length ? "Choose none" : "Choose all shown"}
            </Button>
            <Button look="primary" isDisabled={chosen.length === 0} onPress={() => setAsked(chosen)}>
              {chosen.length === 0 ? "Repeat" : `Repeat ${chosen.length}`}
            </Button>
          </>
        ) : undefined
      }
    >
      <div className="grid gap-3 sm:grid-cols-[12rem_minmax(0,24rem)]">
        <Choice
          label="State"
          value={state}
          options={states}
          onChange={(next) => void navigate({ search: { queue: queue === "" ? undefined : queue, state: next } })}
        />
        <QueueField
          value={queue}
          onChange={(next) => void navigate({ search: { queue: next === "" ? undefined : next, state } })}
        />
      </div>
      <Retried result={result} />
      <PagedList list={list} empty={<Empty title="No jobs">{empty[state]}</Empty>}>
        {(shown) => (
          <JobTable
            rows={shown}
            chosen={chosenIds}
            onChoose={({ id }, isChosen) =>
              setChosenIds(new Set(isChosen ? [...chosenIds, id] : [...chosenIds].filter((each) => each !== id)))
            }
            onRetry={(job) => setAsked([job])}
          />
        )}
      </PagedList>
      <RetryJobs
        chosen={asked}
        onClose={() => setAsked([])}
        onDone={(retried, refusals) => {
          setResult({ retried: retried.length, refusals })
          setChosenIds(new Set())
        }}
      />
    </Page>
  )
}
