import { text } from "node:stream/consumers"
import { services } from "@care/sandbox"
import { serveListener } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Record, Schedule } from "effect"
import { inDatabase, inEveryDatabase } from "./harness/database.ts"
import { layerRolling, Rolling, type Version } from "./harness/rolling/layerRolling.ts"
import { crossing, jobsAcross, markJobs } from "./harness/rolling/markJobs.ts"
import { versionsInWords } from "./harness/rolling/previousPrograms.ts"
import { requestsOf, sendAllOperations } from "./harness/rolling/sendAllOperations.ts"
import { type processNames, Suite } from "./harness/Suite.ts"
import { until } from "./harness/until.ts"

interface Received {
  readonly id: string
  readonly caseId: string | undefined
  readonly sequence: number
}

// The events of each case in the order of their first arrival. An event may come more than once.
const firstArrivals = (received: ReadonlyArray<Received>) => {
  const unique = [...new Map(received.map((event) => [event.id, event])).values()]
  return Map.groupBy(
    unique.filter(({ caseId }) => caseId !== undefined),
    ({ caseId }) => caseId
  )
}

// A job that is offered for later has not been lost. Operations retry jobs of a queue that is no more.
const openJobs = inEveryDatabase(
  (sql, service) => sql<{ queue: string; state: string; failure: string | null }>`
    SELECT queue_name AS queue, state, last_failure AS failure FROM ${sql(service)}.jobs
    WHERE state IN ('pending', 'running') AND queue_name <> 'retired'
      AND NOT (attempts = 0 AND due_at > created_at + interval '1 minute')
  `
)

const jobsWithTrouble = inEveryDatabase(
  (sql, service) => sql<{ queue: string; state: string; crashes: number; failure: string | null }>`
    SELECT queue_name AS queue, state, crashes, last_failure AS failure FROM ${sql(service)}.jobs
    WHERE (state = 'failed' OR crashes > 0) AND queue_name <> 'retired'
  `
)

// The events for endpoints with a URL that begins like this.
const deliveriesTo = (url: string) =>
  inDatabase(
    "cases",
    (sql) => sql<{ id: string; status: string }>`
      SELECT event_id AS id, status FROM cases.webhook_deliveries WHERE (organization_id, endpoint_id) IN (
        SELECT organization_id, id FROM cases.webhook_endpoints WHERE url LIKE ${`${url}%`}
      )
    `
  )

const requestsPerReplacement = 100
const callers = 4

it.live(
  `a rolling upgrade ${versionsInWords} and back: of 2,000 requests none fails, no job is lost, and no event is out of order`,
  () =>
    Effect.gen(function* () {
      const { contracts, losses, migrate, replace, statuses } = yield* Rolling
      const requests = requestsOf(contracts)
      yield* markJobs
      const received: Array<Received> = []
      const { url } = yield* serveListener((request, response) => {
        text(request).then((body) => {
          const { data } = JSON.parse(body)
          received.push({ id: String(request.headers["webhook-id"]), caseId: data.caseId, sequence: data.sequence })
          response.writeHead(204).end()
        })
      })
      const failures: Array<string> = []
      const noLosses = Record.map(losses, () => [])
      let isOver = false
      const sent = Array.from({ length: callers }, () => 0)
      const load = yield* Effect.forkChild(
        Effect.all(
          sent.map((_, index) =>
            sendAllOperations(requests, url, failures, {
              isOver: () => isOver,
              sent: () => {
                sent[index] = (sent[index] ?? 0) + 1
              },
              share: index / callers
            })
          ),
          { concurrency: "unbounded" }
        )
      )
      const furtherRequests = Effect.suspend(() => {
        const { length } = statuses.gateway
        return Effect.repeat(
          Effect.sync(() => statuses.gateway.length >= length + requestsPerReplacement),
          {
            until: (enough) => enough,
            schedule: Schedule.spaced("20 millis")
          }
        ).pipe(Effect.timeout("2 minutes"))
      })
      // Together the callers send each operation once.
      const everyOperation = Effect.suspend(() => {
        const enough = sent.map((count) => count + Math.ceil(requests.length / callers))
        return Effect.repeat(
          Effect.sync(() => sent.every((count, index) => count >= (enough[index] ?? 0))),
          {
            until: (isEnough) => isEnough,
            schedule: Schedule.spaced("20 millis")
          }
        ).pipe(Effect.timeout("2 minutes"))
      })
      const roll = Effect.fnUntraced(function* (names: typeof processNames, version: Version) {
        for (const name of names) {
          for (const place of [0, 1] as const) {
            yield* replace(name, place, version)
            // After the first, the two versions of a service are side by side.
            yield* place === 0 ? crossing(name, everyOperation) : furtherRequests
            assert.deepStrictEqual({ failures: [...failures], losses }, { failures: [], losses: noLosses })
          }
        }
      })
      yield* migrate
      yield* roll([...services, "gateway"], "next")
      // In the same order, so that each two services have met in each two versions.
      yield* roll(["gateway", ...services], "previous")
      isOver = true
      yield* Fiber.join(load)

      assert.isAtLeast(statuses.gateway.length, 2000)
      assert.deepStrictEqual({ failures, losses }, { failures: [], losses: noLosses })
      assert.deepStrictEqual(
        statuses.gateway.filter((status) => status >= 500),
        []
      )
      yield* until(openJobs, ({ length }) => length === 0).pipe(
        Effect.retry({ times: 3 }),
        Effect.catch(() => Effect.flatMap(openJobs, (open) => Effect.sync(() => assert.deepStrictEqual(open, []))))
      )
      assert.deepStrictEqual(yield* jobsWithTrouble, [])
      const deliveries = yield* until(deliveriesTo(url), (all) => all.every(({ status }) => status === "DELIVERED"))
      assert.includeMembers(
        received.map(({ id }) => id),
        deliveries.map(({ id }) => id)
      )
      for (const [caseId, events] of firstArrivals(received)) {
        const sequences = events.map(({ sequence }) => sequence)
        assert.deepStrictEqual(
          sequences,
          sequences.toSorted((a, b) => a - b),
          `the events of ${caseId}`
        )
      }
      const across = yield* jobsAcross
      const count = (direction: "toNext" | "toPrevious") => across.reduce((sum, row) => sum + row[direction], 0)
      const counts = { toNext: count("toNext"), toPrevious: count("toPrevious") }
      yield* Effect.logInfo(
        `${statuses.gateway.length} requests, ${received.length} events, jobs across versions ${JSON.stringify(counts)} of ${JSON.stringify(across)}`
      )
      assert.isAbove(counts.toNext, 50)
      assert.isAbove(counts.toPrevious, 50)
      const { output } = yield* Suite
      assert.deepStrictEqual(
        output.filter((line) => /\bERROR\b/.test(line)),
        []
      )
    }).pipe(Effect.provide(layerRolling), Effect.scoped),
  900_000
)
