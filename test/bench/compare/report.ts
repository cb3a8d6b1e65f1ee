import { say } from "../say.ts"
import type { Round } from "./measure.ts"
import { type Ratio, ratioOf } from "./ratioOf.ts"
import type { Side } from "./sides.ts"
import { allMicros, type Summary, summarize } from "./summarize.ts"

/** The aims: the suite's least share of the peer's requests per second, and its greatest multiple of the peer's processor time. */
const aims = { requests: 1, cpu: 1.5, growth: 0.95, megabytesAtRest: 160 } as const

/** The rounds of each side with a kind of request, for an organization with a number of stored cases. */
export interface Measured extends Readonly<Record<Side["name"], ReadonlyArray<Round>>> {
  readonly kind: string
  readonly size: number
}

const column = (value: number, digits: number, width: number) => value.toFixed(digits).padStart(width)

const row = (name: string, { cpuMicros, p50, p99, requestsPerSecond }: Summary) =>
  `  ${name.padEnd(8)}${column(requestsPerSecond, 0, 8)}${column(p50, 1, 10)} ms${column(p99, 1, 8)} ms${column(cpuMicros, 0, 9)} us`

const requests = ({ requestsPerSecond }: Round): number => requestsPerSecond

/** A ratio and where half of the rounds are. */
const spread = (label: string, { lower, middle, upper }: Ratio) =>
  `  ${label.padEnd(44)}${column(middle, 2, 6)}  (half of the rounds: ${lower.toFixed(2)} to ${upper.toFixed(2)})`

/** The same with its aim, and a mark if it is missed. */
const ratio = (label: string, measured: Ratio, aim: number, isReached: boolean) =>
  `${spread(label, measured)}  (aim: ${aim})${isReached ? "" : "  MISSED"}`

const uses = ({ processes }: Summary) =>
  processes.map(({ cpuMicros, name }) => `${name} ${cpuMicros.toFixed(0)} us`).join(", ")

/** Prints the results for a number of stored cases. */
export const reportSize = (size: number, measured: ReadonlyArray<Measured>): void => {
  say(`\n${size.toLocaleString("en")} cases`)
  for (const { kind, peer, suite } of measured.filter((entry) => entry.size === size)) {
    const suiteSummary = summarize(suite)
    const peerSummary = summarize(peer)
    const requestRatio = ratioOf(suite, peer, requests)
    const cpu = ratioOf(suite, peer, allMicros)
    say(
      `\n  ${kind.padEnd(8)}\n  ${"requests/s".padStart(16)}${"p50".padStart(13)}${"p99".padStart(11)}${"CPU/request".padStart(13)}`
    )
    say(row("suite", suiteSummary))
    say(row("peer", peerSummary))
    say(ratio("requests/s, of the peer's, at least", requestRatio, aims.requests, requestRatio.middle >= aims.requests))
    say(ratio("CPU per request, of the peer's, at most", cpu, aims.cpu, cpu.middle <= aims.cpu))
    say(`  CPU by process: ${uses(suiteSummary)}; ${uses(peerSummary)}`)
    say(
      `  CPU of PostgreSQL: ${suiteSummary.postgresMicros.toFixed(0)} us for the suite, ${peerSummary.postgresMicros.toFixed(0)} us for the peer`
    )
  }
}

/** Prints the cost of larger numbers of stored cases, relative to the first number, for each kind of request. */
export const reportGrowth = (measured: ReadonlyArray<Measured>): void => {
  for (const { kind, peer, size, suite } of measured) {
    const first = measured.find((entry) => entry.kind === kind)
    if (first === undefined || first.size === size) continue
    say(`\nRequests/s with ${size.toLocaleString("en")} cases, of those with ${first.size.toLocaleString("en")}`)
    const requestRatio = ratioOf(suite, first.suite, requests)
    say(ratio(`${kind}, at least`, requestRatio, aims.growth, requestRatio.middle >= aims.growth))
    say(spread("of the peer", ratioOf(peer, first.peer, requests)))
  }
}

/** Prints the memory of the processes at rest and under load. */
export const reportMemory = (atRest: Readonly<Record<string, number>>, measured: ReadonlyArray<Measured>): void => {
  const all = measured.flatMap(({ peer, suite }) => [summarize(suite), summarize(peer)])
  say(`\nMemory (resident), MB${"at rest".padStart(12)}${"under load".padStart(12)}`)
  for (const [name, megabytes] of Object.entries(atRest)) {
    const under = all.flatMap(({ processes }) =>
      processes.flatMap((process) => (process.name === name ? [process.megabytes] : []))
    )
    const isOver = !name.startsWith("peer ") && megabytes > aims.megabytesAtRest
    say(
      `  ${name.padEnd(19)}${column(megabytes, 0, 12)}${column(Math.max(...under), 0, 12)}${isOver ? `  (aim at rest: ${aims.megabytesAtRest})` : ""}`
    )
  }
}
