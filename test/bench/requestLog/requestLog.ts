import { requestsLoggedADay } from "@care/domain/auth"
import { Effect } from "effect"
import { builtPrograms } from "../builtPrograms.ts"
import { type LoadRequest, load } from "../load.ts"
import { makeOrganization } from "../makeOrganization.ts"
import { median } from "../median.ts"
import { postgresProcesses, startCounting, suiteProcesses } from "../processes.ts"
import { quantile } from "../quantile.ts"
import { readCase } from "../readCase.ts"
import { say } from "../say.ts"
import { seedCases } from "../seed/seedCases.ts"
import { startBench } from "../startBench.ts"
import { startMailSink } from "../startMailSink.ts"
import { type WayToAnswer, waysToAnswer } from "./waysToAnswer.ts"
import { withSwitchedLog } from "./withSwitchedLog.ts"

/** The aim: the cost of a case detail relative to the cost without the request log. */
const aim = 1.05

const organizations = 10
const casesOfEach = 200
const connections = 32

// Requests are stored within a second, and reads are linked in the audit.
const settling = "2200 millis"

/** The seconds of the warm-up and of a round, and the number of rounds. */
interface RequestLogOptions {
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
}

/** Requests per second, and processor time per request in microseconds. */
interface Use {
  readonly requestsPerSecond: number
  readonly suite: number
  readonly postgres: number
}

function* inTurns(requests: ReadonlyArray<() => LoadRequest>): Generator<LoadRequest, never> {
  for (;;) for (const request of requests) yield request()
}

/**
 * Measures a case detail with and without the request log (`waysToAnswer`), in one suite that is switched between them, because two equal
 * suites differ by more than the log costs. Returns the results that miss their aim.
 */
export const requestLog = Effect.fnUntraced(function* ({ rounds, seconds, warmUpSeconds }: RequestLogOptions) {
  const mailSink = yield* startMailSink
  const programOf = yield* builtPrograms(withSwitchedLog)
  const bench = yield* startBench({ isProduction: true, programOf }, { SMTP_URL: mailSink.url })
  const { admin, database, gatewayUrl, phiKey } = bench
  say(`Storing ${casesOfEach} cases of each of ${2 * organizations} organizations ...`)
  const seeded = yield* Effect.forEach(
    Array.from({ length: 2 * organizations }).keys(),
    Effect.fnUntraced(function* (index) {
      const organization = yield* makeOrganization(admin, `Clinic ${index}`)
      const numbers = [index * casesOfEach + 1, (index + 1) * casesOfEach] as const
      const caseIds = yield* Effect.promise(() => seedCases(database, { ...organization, phiKey }, numbers))
      return { organizationId: organization.organizationId, read: readCase(organization.key, caseIds) }
    })
  )
  const [first, second] = [seeded.slice(0, organizations), seeded.slice(organizations)]
  const setStored = (of: typeof seeded, stored: number) =>
    Effect.promise(() =>
      database.query(
        `INSERT INTO auth.request_log_days (organization_id, begun_at, stored, is_complete)
         SELECT id, date_trunc('day', now(), 'UTC'), $2, true FROM unnest($1::uuid[]) id
         ON CONFLICT (organization_id, begun_at) DO UPDATE SET stored = excluded.stored`,
        [of.map(({ organizationId }) => organizationId), stored]
      )
    )
  yield* setStored(second, requestsLoggedADay)

  const suite = suiteProcesses()
  const postgres = yield* Effect.promise(() => postgresProcesses(database))
  const gateway = suite.find(({ name }) => name === "gateway")
  const logged = Effect.promise(async () => {
    const { rows } = await database.query("SELECT count(*)::int AS count FROM auth.request_logs")
    return Number(rows[0].count)
  })

  const readFor = Effect.fnUntraced(function* (millis: number, way: WayToAnswer) {
    yield* setStored(first, 0)
    if (way === "not logged") process.kill(Number(gateway?.pid), "SIGUSR2")
    const reads = inTurns((way === "full" ? second : first).map(({ read }) => read))
    const before = yield* logged
    const used = { suite: startCounting(suite), postgres: startCounting(postgres) }
    const { requests, requestsPerSecond } = yield* Effect.promise(() =>
      load(gatewayUrl, connections, millis, () => reads.next().value)
    )
    yield* Effect.sleep(settling)
    const use: Use = {
      requestsPerSecond,
      suite: (used.suite() * 1000) / requests,
      postgres: (used.postgres() * 1000) / requests
    }
    if (way === "not logged") process.kill(Number(gateway?.pid), "SIGUSR2")
    const expected = way === "stored" ? requests : 0
    const stored = (yield* logged) - before
    if (stored !== expected) {
      return yield* Effect.die(new Error(`Of ${requests} requests ${stored} were stored, ${expected} were expected`))
    }
    return use
  })

  say(
    `Reading for ${waysToAnswer.length * warmUpSeconds} s, then ${rounds} times for ${seconds} s each way, in turns ...`
  )
  for (const way of waysToAnswer) yield* readFor(warmUpSeconds * 1000, way)
  const uses: Record<WayToAnswer, Array<Use>> = { stored: [], full: [], "not logged": [] }
  for (let round = 0; round < rounds; round += 1) {
    // Alternates the order, because the first measurement finds the machine in another state than the last.
    for (const way of round % 2 === 0 ? waysToAnswer : waysToAnswer.toReversed()) {
      uses[way].push(yield* readFor(seconds * 1000, way))
    }
  }

  const over: Array<string> = []
  say(`\nA case detail with the request log, of what it is without it (half of ${rounds} rounds)`)
  for (const way of waysToAnswer.slice(0, -1)) {
    const ratioOf = (value: (use: Use) => number) => {
      const ratios = uses[way].map((use, round) => value(use) / value(uses["not logged"][round] ?? use))
      const at = (share: number) => quantile(ratios, share).toFixed(2)
      return { ratio: median(ratios), told: `${median(ratios).toFixed(3)} (${at(0.25)}-${at(0.75)})` }
    }
    const all = ratioOf(({ postgres, suite }) => suite + postgres)
    const isMet = all.ratio <= aim
    say(
      `  ${way.padEnd(8)} requests/s ${ratioOf(({ requestsPerSecond }) => requestsPerSecond).told}, CPU of the suite ${ratioOf(({ suite }) => suite).told}, with PostgreSQL ${all.told}${isMet ? "" : `  <- over the aim of ${aim}`}`
    )
    if (!isMet) over.push(way)
  }
  const micros = (value: (use: Use) => number) => median(uses["not logged"].map(value)).toFixed(0)
  say(
    `  without it: ${micros(({ suite }) => suite)} us in the suite, ${micros(({ postgres }) => postgres)} us in PostgreSQL`
  )
  return over
})
