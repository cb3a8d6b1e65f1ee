import { Effect, Random } from "effect"
import { makeIntakeForm } from "./intakeForm.ts"
import { makePatient, type Patient } from "./people.ts"
import { type ActionName, type Story, stories } from "./stories.ts"

/** The clock moves by so many hours at a time. */
export const hoursPerRound = 8

const roundsPerWeek = (7 * 24) / hoursPerRound

/** A case to make, and what happens to it, in order. A round is that of the clock, from 0. */
export interface PlannedCase {
  readonly patient: Patient
  readonly form: Effect.Success<typeof makeIntakeForm>
  /** Products by their index among those of the organization. */
  readonly products: ReadonlyArray<number>
  readonly visitType: "ASYNC_TEXT_EMAIL" | "SYNC_VIDEO"
  readonly checkout: Story["checkout"]
  readonly createdIn: number
  readonly moments: ReadonlyArray<{ readonly action: ActionName; readonly round: number }>
}

// Each story as often as its percentage.
const hundred = stories.flatMap((story) => Array.from({ length: story.percent }, () => story))

// One action of a case a round: jobs of one may have to run before the next.
const placeMoments = Effect.fnUntraced(function* ({ moments }: Story, createdIn: number) {
  let hours = createdIn * hoursPerRound
  let round = createdIn
  const placed: Array<PlannedCase["moments"][number]> = []
  for (const [action, atLeast, atMost] of moments) {
    hours += yield* Random.nextIntBetween(atLeast, atMost)
    round = Math.max(round + 1, Math.floor(hours / hoursPerRound))
    placed.push({ action, round })
  }
  return placed
})

/** Plans cases over weeks. The same numbers make the same plan. */
export const planSeed = Effect.fnUntraced(
  function* (options: {
    readonly cases: number
    readonly weeks: number
    readonly seed: number
    readonly products: number
  }) {
    const rounds = options.weeks * roundsPerWeek
    const planCase = Effect.fnUntraced(function* (index: number) {
      const story = yield* Effect.orDie(Random.choice(hundred))
      const createdIn = yield* Random.nextIntBetween(0, rounds - 1)
      const product = yield* Random.nextIntBetween(0, options.products - 1)
      const hasTwo = (yield* Random.next) < 0.1 && options.products > 1
      const planned: PlannedCase = {
        patient: yield* makePatient(options.seed, index),
        form: yield* makeIntakeForm,
        products: hasTwo ? [product, (product + 1) % options.products] : [product],
        visitType: (yield* Random.next) < 0.3 ? "SYNC_VIDEO" : "ASYNC_TEXT_EMAIL",
        checkout: story.checkout,
        createdIn,
        moments: (yield* placeMoments(story, createdIn)).filter(({ round }) => round < rounds)
      }
      return planned
    })
    const cases = yield* Effect.forEach(Array.from({ length: options.cases }).keys(), planCase)
    return { rounds, cases }
  },
  (plan, { seed }) => Random.withSeed(plan, seed)
)
