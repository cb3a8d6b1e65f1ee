import { cpus, totalmem } from "node:os"
import { Effect } from "effect"
import { builtPrograms } from "../builtPrograms.ts"
import { kinds as allKinds, type Kind, requestsTo } from "../kinds.ts"
import { makeOrganization } from "../makeOrganization.ts"
import { memoryMegabytes, peerProcesses, suiteProcesses } from "../processes.ts"
import { say } from "../say.ts"
import { seedCases } from "../seed/seedCases.ts"
import { startBench } from "../startBench.ts"
import { startMailSink } from "../startMailSink.ts"
import { measure, type Round } from "./measure.ts"
import { type Measured, reportGrowth, reportMemory, reportSize } from "./report.ts"
import { requireSameAnswers } from "./requireSameAnswers.ts"
import type { Side } from "./sides.ts"
import { startPeer } from "./startPeer.ts"
import { setMailWanted } from "./wantMail.ts"

/** The seconds of the warm-up and of a round of each kind and side, and the number of rounds. */
interface CompareOptions {
  readonly sizes: ReadonlyArray<number>
  /** The only kind of request to measure; all by default. */
  readonly only: string | undefined
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
  /** Whether the suite runs from its TypeScript sources instead of the production build. */
  readonly isFromSources: boolean
}

/**
 * Compares the suite with the same two endpoints written plainly on Fastify, for organizations with each number of stored cases. Sides and
 * organizations alternate, and the medians of the rounds are reported.
 */
export const compare = Effect.fnUntraced(function* ({
  isFromSources,
  only,
  rounds,
  seconds,
  sizes,
  warmUpSeconds
}: CompareOptions) {
  const kinds = allKinds.filter((kind) => only === undefined || only === kind)
  if (kinds.length === 0) return yield* Effect.die(new Error(`"${only}" is none of: ${allKinds.join(", ")}.`))
  const mailSink = yield* startMailSink
  const how = isFromSources ? {} : { programOf: yield* builtPrograms() }
  const bench = yield* startBench({ isProduction: true, ...how }, { SMTP_URL: mailSink.url })
  const { admin, database, gatewayUrl, phiKey } = bench
  const peerUrl = yield* startPeer(bench, mailSink.url)
  const sides: ReadonlyArray<Side> = [
    { name: "suite", origin: gatewayUrl, processes: suiteProcesses() },
    { name: "peer", origin: peerUrl, processes: peerProcesses() }
  ]
  yield* Effect.sleep("5 seconds")
  const atRest = Object.fromEntries(
    sides.flatMap(({ processes }) => processes).map((process) => [process.name, memoryMegabytes(process)])
  )

  const [processor] = cpus()
  const machine = `${cpus().length} x ${processor?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`
  say(`\n${machine}, Node ${process.version}`)
  say(`32 connections, ${rounds} rounds of ${seconds} s each, alternating, medians; CPU without PostgreSQL and load`)

  const stored = yield* Effect.forEach(
    sizes,
    Effect.fnUntraced(function* (size) {
      say(`\nStoring an organization of ${size.toLocaleString("en")} cases ...`)
      const organization = yield* makeOrganization(admin, `${size} cases`)
      const caseIds = yield* Effect.promise(() => seedCases(database, { ...organization, phiKey }, [1, size]))
      yield* setMailWanted(database, true)
      yield* requireSameAnswers(bench, organization, sides, mailSink, caseIds)
      yield* setMailWanted(database, false)
      return { size, requests: requestsTo(organization, caseIds) }
    })
  )

  // Organizations alternate like sides, because the speed of a machine varies from minute to minute.
  const measureKind = Effect.fnUntraced(function* (kind: Kind) {
    const runs = stored.map(({ requests, size }) => ({
      size,
      make: requests[kind],
      suite: [] as Round[],
      peer: [] as Round[]
    }))
    for (const { make } of runs) for (const side of sides) yield* measure(side, database, make, warmUpSeconds * 1000)
    for (let round = 1; round <= rounds; round += 1) {
      say(`${kind}: round ${round} of ${rounds} ...`)
      for (const run of runs) {
        for (const side of sides) run[side.name].push(yield* measure(side, database, run.make, seconds * 1000))
      }
    }
    return runs.map(({ peer, size, suite }): Measured => ({ kind, size, suite, peer }))
  })
  const measured = (yield* Effect.forEach(kinds, measureKind)).flat()
  for (const size of sizes) reportSize(size, measured)
  reportGrowth(measured)
  reportMemory(atRest, measured)
})
