import { Cause, type Context, Deferred, Effect, Exit, Fiber } from "effect"
import { outsideTransaction } from "../sql/outsideTransaction.ts"
import { resumeInBatches } from "./resumeInBatches.ts"

interface Asked<Question, Answer> {
  readonly question: Question
  readonly answer: Deferred.Deferred<Answer>
  readonly context: Context.Context<never>
}

interface TogetherOptions {
  /** How many calls are under way at once. */
  readonly atOnce: number
  /** How many questions a call takes at most. */
  readonly most: number
}

/**
 * Makes one call of what many ask: questions of one turn of the event loop go together, and those that come while calls are under
 * way wait for the next. A call goes on under the request id and in the trace of the first who waits, also when
 * that one gives up. When a call of several fails, each of them is asked for alone, so that none fails over another.
 */
export const makeBatcher = Effect.gen(function* () {
  const scope = yield* Effect.scope
  // Who waits for the call of somebody else is not seen by its own check.
  const requireNoTransaction = yield* outsideTransaction("Something was asked together with others")

  return <Question, Answer>(
    ask: (questions: ReadonlyArray<Question>) => Effect.Effect<ReadonlyArray<Answer>>,
    { atOnce, most }: TogetherOptions
  ) => {
    const waiting: Array<Asked<Question, Answer>> = []
    let underWay = 0

    const answerAll = (some: ReadonlyArray<Asked<Question, Answer>>): Effect.Effect<void> =>
      Effect.flatMap(Effect.exit(ask(some.map(({ question }) => question))), (exit) => {
        if (Exit.isFailure(exit) && some.length > 1 && !Cause.hasInterrupts(exit.cause)) {
          return Effect.forEach(some, (one) => answerAll([one]), { concurrency: "unbounded", discard: true })
        }
        const missing = Exit.die(new Error("Not everything that was asked together was answered"))
        const answers = Exit.isFailure(exit) ? some.map(() => Exit.failCause(exit.cause)) : exit.value.map(Exit.succeed)
        resumeInBatches([...some.entries()], ([index, { answer }]) =>
          Deferred.doneUnsafe(answer, answers[index] ?? missing)
        )
        return Effect.void
      })

    const begin = () => {
      while (underWay < atOnce) {
        const some = waiting.splice(0, most)
        const [first] = some
        if (first === undefined) return
        underWay += 1
        const end = Effect.sync(() => {
          underWay -= 1
          begin()
        })
        Fiber.runIn(Effect.runForkWith(first.context)(Effect.ensuring(answerAll(some), end)), scope)
      }
    }

    return (question: Question): Effect.Effect<Answer> =>
      Effect.andThen(
        requireNoTransaction,
        Effect.contextWith((context: Context.Context<never>) => {
          const own: Asked<Question, Answer> = { question, answer: Deferred.makeUnsafe(), context }
          if (waiting.length === 0) setImmediate(begin)
          waiting.push(own)
          const giveUp = Effect.sync(() => {
            const at = waiting.indexOf(own)
            if (at >= 0) waiting.splice(at, 1)
          })
          return Effect.onInterrupt(Deferred.await(own.answer), () => giveUp)
        })
      )
  }
})
