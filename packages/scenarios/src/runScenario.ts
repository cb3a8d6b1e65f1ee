import type { Care, ListedWebhookEvent } from "@care/client"
import { Effect, Schedule } from "effect"
import { performStep } from "./performStep.ts"
import type { Scenario, ScenarioStep } from "./Scenario.ts"
import { ScenarioFailed, send } from "./ScenarioFailed.ts"
import { stepInWords } from "./stepInWords.ts"

/** A step that is done: its number, from 1, what happened, and what followed. */
export interface ScenarioProgress {
  readonly number: number
  readonly count: number
  readonly text: string
  readonly caseId: string
  readonly status: string
  readonly events: ReadonlyArray<ListedWebhookEvent>
}

/** Returns the first hundred events of a case, oldest first, or those after one of them. */
export const caseEvents = (care: Care, caseId: string, after?: string | undefined) =>
  Effect.map(
    send((signal) => care.events.list({ caseId, after, limit: 100 }, { signal }).page()),
    ({ data }) => data
  )

interface Shown {
  readonly status: string
  readonly isClosed: boolean
  readonly order: string | undefined
  readonly payment: string | undefined
}

const showCase = Effect.fnUntraced(function* (care: Care, caseId: string) {
  const { caseDetail } = yield* send((signal) => care.cases.retrieve({ caseId, includeOrders: true }, { signal }))
  const payments = yield* send((signal) => care.payments.list(caseId, { limit: 1 }, { signal }).page())
  const shown: Shown = {
    status: caseDetail.status,
    isClosed: caseDetail.isArchived,
    order: caseDetail.orders?.at(-1)?.status,
    payment: payments.data[0]?.status
  }
  return shown
})

const typesOf = (events: ReadonlyArray<ListedWebhookEvent>): string =>
  events.length === 0 ? "no event" : events.map(({ type }) => type).join(", ")

const unexpected = (events: ReadonlyArray<ListedWebhookEvent>, expected: ReadonlyArray<string>): string =>
  expected.length === 0
    ? `${typesOf(events)} came, and the step names no events`
    : `${typesOf(events)} came, not ${expected.join(", ")}`

// Returns what is other than the step expects.
const differences = (step: ScenarioStep, shown: Shown): ReadonlyArray<string> =>
  (["status", "isClosed", "order", "payment"] as const).flatMap((name) =>
    step[name] === undefined || step[name] === shown[name] ? [] : [`${name} is ${shown[name]}, not ${step[name]}`]
  )

// What a step causes follows within a second: jobs assign the case, hand over the order and tell of payments.
const untilDone = Effect.fnUntraced(function* (care: Care, step: ScenarioStep, caseId: string, after?: string) {
  const { events: expected = [] } = step
  const look = Effect.gen(function* () {
    const shown = yield* showCase(care, caseId)
    const events = yield* caseEvents(care, caseId, after)
    const missing = events.length < expected.length ? [unexpected(events, expected)] : []
    return { shown, events, wrong: [...differences(step, shown), ...missing] }
  })
  const { events, shown, wrong } = yield* Effect.repeat(look, {
    until: ({ wrong }) => wrong.length === 0,
    schedule: Schedule.spaced("250 millis"),
    times: 40
  })
  const others = events.some(({ type }, index) => type !== expected[index])
  const problems = others ? [...wrong, unexpected(events, expected)] : wrong
  if (problems.length > 0) return yield* new ScenarioFailed({ message: problems.join("; ") })
  return { events, status: shown.status }
})

/**
 * Runs a scenario in the sandbox of a test key: performs its steps, and waits after each for what it expects. Fails with the step that
 * was refused, or had another outcome.
 */
export const runScenario = Effect.fnUntraced(function* <R>(
  care: Care,
  { steps }: Scenario,
  onStep: (progress: ScenarioProgress) => Effect.Effect<void, never, R>
) {
  let caseId = ""
  let lastEvent: string | undefined
  for (const [index, step] of steps.entries()) {
    const text = stepInWords(step)
    const inStep = ({ message, refusal }: ScenarioFailed) =>
      new ScenarioFailed({ message: `Step ${index + 1}, "${text}": ${message}`, ...(refusal && { refusal }) })
    caseId = yield* Effect.mapError(performStep(care, step, caseId), inStep)
    const { events, status } = yield* Effect.mapError(untilDone(care, step, caseId, lastEvent), inStep)
    lastEvent = events.at(-1)?.id ?? lastEvent
    yield* onStep({ number: index + 1, count: steps.length, text, caseId, status, events })
  }
  return caseId
})
