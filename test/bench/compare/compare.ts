import { cpus, totalmem } from "node:os"
import { Effect } from "effect"
import { builtPrograms } from "../builtPrograms.ts"
import type { LoadRequest } from "../load.ts"
import { newCase } from "../newCase.ts"
import { memoryMegabytes, peerProcesses, suiteProcesses } from "../processes.ts"
import { readCase } from "../readCase.ts"
import { say } from "../say.ts"
import { seedCases } from "../seed/seedCases.ts"
import { startBench } from "../startBench.ts"
import { startMailSink } from "../startMailSink.ts"
import { measure, type Round } from "./measure.ts"
import { type Results, reportGrowth, reportMemory, reportSize } from "./report.ts"
import { requireSameAnswers } from "./requireSameAnswers.ts"
import type { Side } from "./sides.ts"
import { startPeer } from "./startPeer.ts"
import { summarize } from "./summarize.ts"
import { wantMail } from "./wantMail.ts"

/** How long is measured: seconds of the warm-up and of a round of each kind and side, and how many rounds. */
export interface CompareOptions {
  readonly sizes: ReadonlyArray<number>
  /** The one kind of request that is measured; all without it. */
  readonly only: string | undefined
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
  /** Whether the suite runs from its TypeScript, as while it is developed, instead of as it is built for production. */
  readonly isFromSources: boolean
}

/**
 * Measures the suite against the same two endpoints written plainly on Fastify, in one run on one machine, with each number
 * of stored cases: the sides take turns, and medians of the rounds are told.
 */
export const compare = Effect.fnUntraced(function* ({
  isFromSources,
  only,
  rounds,
  seconds,
  sizes,
  warmUpSeconds
}: CompareOptions) {
  const mailSink = yield* startMailSink
  const how = isFromSources ? {} : { programOf: yield* builtPrograms() }
  const bench = yield* startBench({ isProduction: true, ...how }, { SMTP_URL: mailSink.url })
  const { database, gatewayUrl, key, organizationId, phiKey, productId, providerIds } = bench
  const peerUrl = yield* startPeer(bench, mailSink.url)
  const sides: ReadonlyArray<Side> = [
    { name: "suite", origin: gatewayUrl, processes: suiteProcesses() },
    { name: "peer", origin: peerUrl, processes: peerProcesses() }
  ]
  yield* Effect.sleep("5 seconds")
  const atRest = Object.fromEntries(
    sides.flatMap(({ processes }) => processes).map((process) => [process.name, memoryMegabytes(process)])
  )

  const measureKind = Effect.fnUntraced(function* (make: () => LoadRequest) {
    const measured: Readonly<Record<Side["name"], Array<Round>>> = { suite: [], peer: [] }
    for (const side of sides) yield* measure(side, database, make, warmUpSeconds * 1000)
    for (let round = 0; round < rounds; round += 1) {
      for (const side of sides) measured[side.name].push(yield* measure(side, database, make, seconds * 1000))
    }
    return { suite: summarize(measured.suite), peer: summarize(measured.peer) }
  })

  const [processor] = cpus()
  const machine = `${cpus().length} x ${processor?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`
  say(`\n${machine}, Node ${process.version}`)
  say(`32 connections, ${rounds} rounds of ${seconds} s each, alternating, medians; CPU without PostgreSQL and load`)

  const measured: Array<readonly [number, Results]> = []
  let stored = 0
  for (const size of sizes) {
    say(`\nStoring ${(size - stored).toLocaleString("en")} cases ...`)
    const seeding = { organizationId, productId, providerIds, phiKey }
    const caseIds = yield* Effect.promise(() => seedCases(database, seeding, [stored + 1, size]))
    stored = size
    yield* wantMail(database, true)
    yield* requireSameAnswers(bench, sides, mailSink, caseIds)
    yield* wantMail(database, false)
    const createOne = (): LoadRequest => ({
      method: "POST",
      path: "/api/v1/cases",
      headers: { "cv-api-key": key, "content-type": "application/json" },
      body: JSON.stringify(newCase(productId))
    })
    const kinds = Object.entries({ "case detail": readCase(key, caseIds), "case creation": createOne })
    const results: Record<string, Results[string]> = {}
    for (const [kind, make] of kinds) {
      if (only === undefined || only === kind) results[kind] = yield* measureKind(make)
    }
    measured.push([size, results])
    reportSize(size, results)
  }
  reportGrowth(measured)
  reportMemory(atRest, measured)
})
