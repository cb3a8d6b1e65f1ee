import { Effect } from "effect"
import type pg from "pg"
import { type LoadRequest, type LoadResult, load } from "../load.ts"
import { cpuMillis, memoryMegabytes, postgresProcesses, startCounting } from "../processes.ts"
import { jobsDone } from "./jobsDone.ts"
import type { Side } from "./sides.ts"

/** What of the machine a process took. */
export interface ProcessUse {
  readonly name: string
  /** Processor time per request, in microseconds. */
  readonly cpuMicros: number
  /** At the end of the load, in MB. */
  readonly megabytes: number
}

/** What one round of load measured. */
export interface Round extends LoadResult {
  readonly processes: ReadonlyArray<ProcessUse>
  /** Processor time of PostgreSQL per request, in microseconds. */
  readonly postgresMicros: number
}

const connections = 32

/** Loads one side for some time; the processor time counts until what the requests left to do is done, too. */
export const measure = Effect.fnUntraced(function* (
  { origin, processes }: Side,
  database: pg.ClientBase,
  make: () => LoadRequest,
  millis: number
) {
  const before = processes.map(cpuMillis)
  // Connections of a side are made when it asks for them.
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
