import { Effect } from "effect"
import type pg from "pg"
import { type LoadRequest, type LoadResult, load } from "../load.ts"
import { cpuMillis, memoryMegabytes, postgresProcesses, startCounting } from "../processes.ts"
import { jobsDone } from "./jobsDone.ts"
import type { Side } from "./sides.ts"

/** The processor time and memory of a process. */
export interface ProcessUse {
  readonly name: string
  /** Processor time per request, in microseconds. */
  readonly cpuMicros: number
  /** At the end of the load, in MB. */
  readonly megabytes: number
}

/** The results of one round of load. */
export interface Round extends LoadResult {
  readonly processes: ReadonlyArray<ProcessUse>
  /** Processor time of PostgreSQL per request, in microseconds. */
  readonly postgresMicros: number
}

const connections = 32

/** Loads one side for some time. Processor time counts until the jobs of the requests are done. */
export const measure = Effect.fnUntraced(function* (
  { origin, processes }: Side,
  database: pg.ClientBase,
  make: () => LoadRequest,
  millis: number
) {
  const before = processes.map(cpuMillis)
  // A side opens its database connections only when it needs them.
  const postgres = yield* Effect.promise(() => postgresProcesses(database))
  const postgresUsed = startCounting(postgres)
  const result = yield* Effect.promise(() => load(origin, connections, millis, make))
  const megabytes = processes.map(memoryMegabytes)
  yield* jobsDone(database)
  const round: Round = {
    ...result,
    postgresMicros: (postgresUsed() * 1000) / result.requests,
    processes: processes.map((process, index) => ({
      name: process.name,
      cpuMicros: ((cpuMillis(process) - (before[index] ?? 0)) * 1000) / result.requests,
      megabytes: megabytes[index] ?? 0
    }))
  }
  return round
})
