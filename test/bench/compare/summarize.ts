import { median } from "../median.ts"
import type { ProcessUse, Round } from "./measure.ts"

/** The medians of the rounds of a side. */
export interface Summary {
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p99: number
  /** Processor time per request of all its processes, in microseconds. */
  readonly cpuMicros: number
  /** The same of PostgreSQL. */
  readonly postgresMicros: number
  readonly processes: ReadonlyArray<ProcessUse>
}

const sum = (values: ReadonlyArray<number>): number => values.reduce((all, value) => all + value, 0)

/** Processor time per request of all processes of a side in a round, in microseconds. */
export const allMicros = ({ processes }: Round): number => sum(processes.map(({ cpuMicros }) => cpuMicros))

export const summarize = (rounds: ReadonlyArray<Round>): Summary => {
  const medianOf = (read: (round: Round) => number) => median(rounds.map(read))
  return {
    requestsPerSecond: medianOf(({ requestsPerSecond }) => requestsPerSecond),
    p50: medianOf(({ p50 }) => p50),
    p99: medianOf(({ p99 }) => p99),
    cpuMicros: medianOf(allMicros),
    postgresMicros: medianOf(({ postgresMicros }) => postgresMicros),
    processes: (rounds[0]?.processes ?? []).map(({ name }, index) => ({
      name,
      cpuMicros: medianOf(({ processes }) => processes[index]?.cpuMicros ?? 0),
      megabytes: Math.max(...rounds.map(({ processes }) => processes[index]?.megabytes ?? 0))
    }))
  }
}
