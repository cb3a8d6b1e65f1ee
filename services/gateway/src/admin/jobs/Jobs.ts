import type { CellsPosition, PagePosition } from "@care/domain/http"
import type { JobId } from "@care/domain/ids"
import { type Job, type JobNotFailed, JobNotFound, type JobsQuery, ownJobsApi } from "@care/domain/jobs"
import { peers } from "@care/domain/peers"
import { type Page, unexpected } from "@care/service-kit"
import { Context, Effect, Exit, Layer, Option, Record } from "effect"
import { type Cell, Cells, makeReadCells, newestFirst, peerOf, perCell } from "../../cells/index.ts"

const positionOf = ({ createdAt, id }: Job): PagePosition => ({ createdAt, id })

const isAbsent = (answer: Exit.Exit<Job, JobNotFound | JobNotFailed>): boolean =>
  Option.exists(Exit.findErrorOption(answer), ({ _tag }) => _tag === "JobNotFound")

/** The jobs of all services of all cells. `list` names the cells of which a service does not answer, and dies when that is all of them. */
export class Jobs extends Context.Service<
  Jobs,
  {
    /** Returns a page of jobs, newest first. */
    readonly list: (query: JobsQuery) => Effect.Effect<Page<Job, CellsPosition<PagePosition>>>
    /** Retries a dead-lettered job, whichever service has it. */
    readonly retry: (jobId: JobId) => Effect.Effect<Job, JobNotFound | JobNotFailed>
  }
>()("@care/gateway/jobs/Jobs") {
  static readonly layer = Layer.effect(
    Jobs,
    Effect.gen(function* () {
      const { all } = yield* Cells
      const readCells = makeReadCells()
      const ownersOf = yield* perCell((cell) =>
        Effect.forEach(Record.keys(peers), (service) =>
          Effect.map(peerOf(cell, ownJobsApi(service), "ownJobs"), (client) => ({ client, service }))
        )
      )

      const list = Effect.fn("Jobs.list")(function* ({ cursor, limit, ...filter }: JobsQuery) {
        const ask = (cell: Cell, after: PagePosition | undefined) =>
          Effect.forEach(
            ownersOf(cell),
            ({ client, service }) =>
              client
                .list({ query: { ...filter, ...(after !== undefined && { cursor: after }), limit: limit + 1 } })
                .pipe(
                  Effect.map((jobs) => ({ data: jobs.map((job): Job => ({ ...job, service })), nextCursor: null }))
                ),
            { concurrency: "unbounded" }
          )
        return yield* readCells(all, { cursor, limit, order: newestFirst, positionOf }, ask)
      })

      // A service that does not answer matters only when no other service has the job.
      const retry = Effect.fn("Jobs.retry")(function* (jobId: JobId) {
        const answers = yield* Effect.forEach(
          all.flatMap(ownersOf),
          ({ client, service }) =>
            client.retry({ params: { jobId } }).pipe(
              Effect.catchTags(unexpected),
              Effect.map((job): Job => ({ ...job, service })),
              Effect.exit
            ),
          { concurrency: "unbounded" }
        )
        const answered = answers.filter((answer) => !isAbsent(answer))
        return yield* answered.find((answer) => !Exit.hasDies(answer)) ?? answered[0] ?? new JobNotFound({ jobId })
      })

      return Jobs.of({ list: (query) => Effect.orDie(list(query)), retry })
    })
  )
}
