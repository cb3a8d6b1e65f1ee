import { advanceClock } from "@care/scenarios"
import { Effect } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import { printStep } from "../output.ts"
import type { SandboxClient } from "../SandboxClient.ts"
import { actions, createCase, type MadeCase } from "./actions.ts"
import { hoursPerRound, type PlannedCase, planSeed } from "./planSeed.ts"

const callsAtOnce = 8

/** How many cases, over how many weeks, and what the random choices begin with. */
export interface SeedOptions {
  readonly cases: number
  readonly weeks: number
  readonly seed: number
}

const noProducts = new CommandFailed({
  message:
    "The sandbox has no products. Add one in the console, in test mode, or with care product create and the id of the sandbox."
})

const readProducts = Effect.fnUntraced(function* ({ call }: SandboxClient) {
  // Whether anything answers is known soon.
  const options = { maxRetries: 1 }
  const { data } = yield* call((care, signal) => care.products.list({ limit: 100 }, { ...options, signal }).page())
  return data.length === 0 ? yield* noProducts : data.map(({ id }) => id)
})

// A case may not be as planned: somebody else works in the sandbox, or it has no pharmacy.
const isOfThisCase = ({ answer }: CommandFailed): boolean => [400, 409, 422].includes(answer?.status ?? 0)

interface Seeded {
  readonly made: Map<PlannedCase, MadeCase>
  /** How often each action was done, and how often each refusal was the answer. */
  readonly actions: Map<string, number>
  readonly refusals: Map<string, number>
}

const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)

/**
 * Fills a sandbox with made-up cases. Its clock moves forward by the weeks, and in each round of it the planned cases are created and
 * worked on, so that at its new time they are as old as planned. Returns what was made.
 */
export const runSeed = Effect.fnUntraced(function* (client: SandboxClient, options: SeedOptions) {
  const { call } = client
  const productIds = yield* readProducts(client)
  const plan = yield* planSeed({ ...options, products: productIds.length })
  const { data: clock } = yield* call((care, signal) => care.testClock.get({ signal }))
  const from = Date.parse(clock.now)
  const timeOf = (round: number) => new Date(from + round * hoursPerRound * 3_600_000)
  const moveTo = (time: Date) => client.run(advanceClock(client.care, { to: time.toISOString() }))
  const seeded: Seeded = { made: new Map(), actions: new Map(), refusals: new Map() }

  const create = (planned: PlannedCase, index: number) =>
    call((care, signal) => createCase(care, planned, productIds, signal)).pipe(
      Effect.map(({ data }) => seeded.made.set(planned, { caseId: data.caseId, index, plan: planned }))
    )

  const stopped = new Set<PlannedCase>()
  const act = Effect.fnUntraced(function* (planned: PlannedCase, round: number) {
    const made = seeded.made.get(planned)
    const moment = planned.moments.find((each) => each.round === round)
    if (made === undefined || moment === undefined || stopped.has(planned)) return
    yield* call((care, signal) => actions[moment.action](care, made, timeOf(round), signal))
    count(seeded.actions, moment.action)
  })

  const work = (planned: PlannedCase, index: number, round: number) =>
    (planned.createdIn === round ? create(planned, index) : act(planned, round)).pipe(
      Effect.catchIf(isOfThisCase, ({ message }) =>
        Effect.sync(() => {
          // What was planned after it depends on it.
          stopped.add(planned)
          count(seeded.refusals, message)
        })
      )
    )

  for (let round = 0; round < plan.rounds; round += 1) {
    const due = plan.cases.flatMap((planned, index) =>
      planned.createdIn === round || planned.moments.some((each) => each.round === round) ? [{ planned, index }] : []
    )
    if (due.length === 0) continue
    if (round > 0) yield* moveTo(timeOf(round))
    yield* Effect.forEach(due, ({ index, planned }) => work(planned, index, round), {
      concurrency: callsAtOnce,
      discard: true
    })
    yield* printStep(round + 1, plan.rounds, `${seeded.made.size} cases`)
  }
  yield* moveTo(timeOf(plan.rounds))
  return { ...seeded, from: timeOf(0), to: timeOf(plan.rounds) }
})
