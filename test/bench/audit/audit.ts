import { Effect } from "effect"
import { builtPrograms } from "../builtPrograms.ts"
import { load } from "../load.ts"
import { median } from "../median.ts"
import { postgresProcesses, startCounting, suiteProcesses } from "../processes.ts"
import { quantile } from "../quantile.ts"
import { readCase } from "../readCase.ts"
import { say } from "../say.ts"
import { seedCases } from "../seed/seedCases.ts"
import { startBench } from "../startBench.ts"
import { startMailSink } from "../startMailSink.ts"
import { measureStorage } from "./storage.ts"
import { type WayToRead, waysToRead } from "./waysToRead.ts"
import { withSwitchedAudit } from "./withSwitchedAudit.ts"

/** The aim: the cost of a case detail relative to the cost without audit. */
const aim = 1.1

const cases = 2000
const connections = 32

// Reads are linked within a second, or a second later if another process was linking.
const settling = "2200 millis"

/** The seconds of the warm-up and of a round, and the number of rounds. */
interface AuditOptions {
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
}

/** Processor time per request, in microseconds. */
interface Use {
  readonly suite: number
  readonly postgres: number
}

const spreadOf = (micros: ReadonlyArray<number>) => {
  const at = (share: number) => quantile(micros, share).toFixed(0)
  return { median: median(micros), told: `${at(0.5)} us (half of them ${at(0.25)} to ${at(0.75)})` }
}

/**
 * Measures the cost of a case detail with and without the audit of reads, in one suite that is switched between the two (`waysToRead`),
 * because two equal suites differ by more than the audit costs. Then measures what the
 * records take, and how long they take to be verified. Returns the results that miss their aim.
 */
export const audit = Effect.fnUntraced(function* ({ rounds, seconds, warmUpSeconds }: AuditOptions) {
  const mailSink = yield* startMailSink
  const programOf = yield* builtPrograms(withSwitchedAudit)
  const { database, gatewayUrl, key, organizationId, phiKey, productId, providerIds } = yield* startBench(
    { isProduction: true, programOf },
    { SMTP_URL: mailSink.url }
  )
  say(`Storing ${cases.toLocaleString("en")} cases ...`)
  const caseIds = yield* Effect.promise(() =>
    seedCases(database, { organizationId, productId, providerIds, phiKey }, [1, cases])
  )
  const suite = suiteProcesses()
  const postgres = yield* Effect.promise(() => postgresProcesses(database))
  const service = suite.find(({ name }) => name === "cases")

  const readOne = readCase(key, caseIds)
  const recorded = Effect.promise(async () => {
    const { rows } = await database.query("SELECT coalesce(sum(count), 0)::int AS count FROM cases.audit_heads")
    return Number(rows[0].count)
  })

  const readFor = Effect.fnUntraced(function* (millis: number, way: WayToRead) {
    const before = yield* recorded
    const used = { suite: startCounting(suite), postgres: startCounting(postgres) }
    const { requests } = yield* Effect.promise(() => load(gatewayUrl, connections, millis, readOne))
    yield* Effect.sleep(settling)
    const use: Use = {
      suite: (used.suite() * 1000) / requests,
      postgres: (used.postgres() * 1000) / requests
    }
    const expected = way === "recorded" ? requests : 0
    const records = (yield* recorded) - before
    if (records !== expected) {
      return yield* Effect.die(new Error(`${requests} reads made ${records} records, ${expected} were expected`))
    }
    return use
  })

  // Alternates between all ways to read in each round.
  const readInTurns = Effect.fnUntraced(function* (millis: number, times: number) {
    const uses: Record<WayToRead, Array<Use>> = { recorded: [], "not recorded": [], "answered at once": [] }
    for (let time = 0; time < times; time += 1) {
      for (const way of waysToRead) {
        uses[way].push(yield* readFor(millis, way))
        process.kill(Number(service?.pid), "SIGUSR2")
      }
    }
    return uses
  })

  say(
    `Reading for ${waysToRead.length * warmUpSeconds} s, then ${rounds} times for ${seconds} s each way, in turns: ${waysToRead.join(", ")} ...`
  )
  yield* readInTurns(warmUpSeconds * 1000, 1)
  const uses = yield* readInTurns(seconds * 1000, rounds)

  const over: Array<string> = []
  const report = (label: string, value: (use: Use) => number) => {
    const recorded = spreadOf(uses.recorded.map(value))
    say(`${label}: ${recorded.told} recorded`)
    for (const way of waysToRead.slice(1)) {
      const without = spreadOf(uses[way].map(value))
      const ratio = recorded.median / without.median
      const isMet = ratio <= aim
      say(`  ${without.told} ${way}, ${ratio.toFixed(2)} times (aim: ${aim})${isMet ? "" : "  <- over the aim"}`)
      if (!isMet) over.push(`${label}, ${way}`)
    }
  }
  say(`\nProcessor time of a case detail: medians of ${rounds} rounds`)
  report("The suite", ({ suite }) => suite)
  report("With PostgreSQL", ({ postgres, suite }) => suite + postgres)
  yield* Effect.promise(() => measureStorage(database, gatewayUrl, organizationId))
  return over
})
