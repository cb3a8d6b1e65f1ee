import { Effect } from "effect"
import { builtPrograms } from "../builtPrograms.ts"
import { load } from "../load.ts"
import { median } from "../median.ts"
import { postgresProcesses, startCounting, suiteProcesses } from "../processes.ts"
import { readCase } from "../readCase.ts"
import { say } from "../say.ts"
import { seedCases } from "../seed/seedCases.ts"
import { startBench } from "../startBench.ts"
import { startMailSink } from "../startMailSink.ts"
import { withSwitchedAudit } from "./withSwitchedAudit.ts"

/** What a case detail may cost, of what it costs when nobody records it. */
const aim = 1.1

const cases = 2000
const connections = 32

// Reads are linked within a second, and again within the next when somebody else linked just then.
const settling = "2500 millis"

/** How long is measured: seconds of the warm-up and of a round, and how many rounds there are of each. */
export interface AuditOptions {
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
}

/** Processor time per request, in microseconds. */
interface Use {
  readonly suite: number
  readonly postgres: number
}

/**
 * Measures what a case detail costs with the audit of reads, and without, in one suite whose recording is switched off and on:
 * two suites beside each other differ by more than the audit, also when they are the same. Answers what is over its aim.
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

  const readFor = Effect.fnUntraced(function* (millis: number, isRecorded: boolean) {
    const before = yield* recorded
    const used = { suite: startCounting(suite), postgres: startCounting(postgres) }
    const { requests } = yield* Effect.promise(() => load(gatewayUrl, connections, millis, readOne))
    yield* Effect.sleep(settling)
    const use: Use = {
      suite: (used.suite() * 1000) / requests,
      postgres: (used.postgres() * 1000) / requests
    }
    const expected = isRecorded ? requests : 0
    const records = (yield* recorded) - before
    if (records !== expected) {
      return yield* Effect.die(new Error(`${requests} reads made ${records} records, ${expected} were expected`))
    }
    return use
  })

  let isOn = true
  const round = Effect.fnUntraced(function* () {
    const use = yield* readFor(seconds * 1000, isOn)
    process.kill(Number(service?.pid), "SIGUSR2")
    isOn = !isOn
    // What was compiled for the other kind is compiled anew.
    yield* readFor(1000, isOn)
    return use
  })

  say(`Reading for ${warmUpSeconds} s, then ${rounds} times for ${seconds} s recorded and not ...`)
  yield* readFor(warmUpSeconds * 1000, true)
  const pairs: Array<{ readonly on: Use; readonly off: Use }> = []
  for (let pair = 0; pair < rounds; pair += 1) pairs.push({ on: yield* round(), off: yield* round() })

  const over: Array<string> = []
  const report = (what: string, of: (use: Use) => number) => {
    const ratios = pairs.map(({ off, on }) => of(on) / of(off))
    const ratio = median(ratios)
    const isMet = ratio <= aim
    const medianOf = (kind: "on" | "off") => `${median(pairs.map((pair) => of(pair[kind]))).toFixed(0)} us`
    say(
      `${what}: ${medianOf("on")} recorded, ${medianOf("off")} not, ${ratio.toFixed(2)} times (aim: ${aim})${isMet ? "" : "  <- over the aim"}`
    )
    say(`  pair by pair: ${ratios.map((value) => value.toFixed(2)).join(" ")}`)
    if (!isMet) over.push(what)
  }
  say(`\nProcessor time of a case detail, medians of ${rounds} pairs`)
  report("The suite", ({ suite }) => suite)
  report("With PostgreSQL", ({ postgres, suite }) => suite + postgres)
  return over
})
