import { renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Piece, pieces } from "@care/service-kit"
import { Effect } from "effect"
import { builtPrograms } from "../builtPrograms.ts"
import { measure, type Round } from "../compare/measure.ts"
import { ratioOf } from "../compare/ratioOf.ts"
import { startPeer } from "../compare/startPeer.ts"
import { allMicros } from "../compare/summarize.ts"
import { setMailWanted } from "../compare/wantMail.ts"
import { kinds, requestsTo } from "../kinds.ts"
import { suiteProcesses } from "../processes.ts"
import { say } from "../say.ts"
import { seedCases } from "../seed/seedCases.ts"
import { startBench } from "../startBench.ts"
import { startMailSink } from "../startMailSink.ts"
import { temporaryFolder } from "../temporaryFolder.ts"
import { switchablePieces } from "./switchablePieces.ts"

/** The pieces to measure (all by default), the number of rounds, and their length with a piece on and off. */
interface PiecesOptions {
  readonly only: string | undefined
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
}

const cases = 2000

/** The rounds of a piece. */
interface Pair {
  readonly piece: Piece
  readonly on: Array<Round>
  readonly off: Array<Round>
}

/**
 * Measures the gain of each piece of speed in one suite, in which it is switched on and off alternately, because two equal suites differ by
 * more than a piece gains.
 */
export const measurePieces = Effect.fnUntraced(function* ({ only, rounds, seconds, warmUpSeconds }: PiecesOptions) {
  const measured = pieces.filter((piece) => only === undefined || only.split(",").includes(piece))
  if (measured.length === 0) return say(`There is no piece ${only}: name some of ${pieces.join(",")}.`)
  const file = join(yield* temporaryFolder, "off.json")
  const switchTo = (off: ReadonlyArray<Piece>) =>
    Effect.andThen(
      Effect.sync(() => {
        writeFileSync(`${file}.new`, JSON.stringify(off))
        // Renamed into place, because a process may be reading it.
        renameSync(`${file}.new`, file)
      }),
      Effect.sleep("200 millis")
    )
  yield* switchTo([])
  const mailSink = yield* startMailSink
  const programOf = yield* builtPrograms(switchablePieces(file))
  const bench = yield* startBench({ isProduction: true, programOf }, { SMTP_URL: mailSink.url })
  const { database, gatewayUrl } = bench
  // The peer runs, too, because `jobsDone` waits for the jobs of both sides.
  yield* startPeer(bench, mailSink.url)
  say(`Storing ${cases.toLocaleString("en")} cases ...`)
  const caseIds = yield* Effect.promise(() => seedCases(database, bench, [1, cases]))
  yield* setMailWanted(database, false)
  const requests = requestsTo(bench, caseIds)
  const side = { name: "suite", origin: gatewayUrl, processes: suiteProcesses() } as const

  for (const kind of kinds) {
    const measureFor = (length: number) => measure(side, database, requests[kind], length * 1000)
    const pairs = measured.map((piece): Pair => ({ piece, on: [], off: [] }))
    yield* measureFor(warmUpSeconds)
    yield* switchTo(measured)
    yield* measureFor(warmUpSeconds)
    for (let round = 1; round <= rounds; round += 1) {
      for (const pair of pairs) {
        const ways = [
          { into: pair.on, off: [] },
          { into: pair.off, off: [pair.piece] }
        ]
        // Alternates the order, because the first measurement finds the machine in another state than the second.
        for (const { into, off } of round % 2 === 0 ? ways : ways.toReversed()) {
          yield* switchTo(off)
          into.push(yield* measureFor(seconds))
        }
      }
    }
    say(`\n${kind}: with the piece, of what it is without it (half of ${rounds} rounds)`)
    for (const { off, on, piece } of pairs) {
      const formatMedians = (read: (round: Round) => number) => {
        const { lower, middle, upper } = ratioOf(on, off, read)
        return `${middle.toFixed(3)} (${lower.toFixed(2)}-${upper.toFixed(2)})`
      }
      say(
        `  ${piece.padEnd(12)} requests/s ${formatMedians((round) => round.requestsPerSecond)}, CPU ${formatMedians(allMicros)}`
      )
    }
  }
})
