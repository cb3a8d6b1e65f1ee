import { Cause, Context, Deferred, Effect, Exit, Fiber } from "effect"
import { resumeInBatches } from "../internal/resumeInBatches.ts"
import { outsideTransaction } from "../sql/transactions.ts"
import { TestOrganization } from "../time/Time.ts"
import { isFast } from "./pieces.ts"

interface PendingQuestion<Question, Answer> {
  readonly question: Question
  readonly answer: Deferred.Deferred<Answer>
  readonly context: Context.Context<never>
}

interface BatcherOptions {
  /** The maximum of calls that run at once. */
  readonly concurrency: number
  /** The maximum of questions in one call. */
  readonly maxBatchSize: number
}

// A call has the time of a sandbox, and is refused by its reset: neither may reach the questions of others.
const groupOf = (context: Context.Context<never>): string => {
  const test = Context.get(context, TestOrganization)
  return test === undefined ? "live" : `${test.organizationId} ${test.resets}`
}

/**
 * Makes a batcher: it answers the questions of many fibers with few calls. Questions of one turn of the event loop share a call, and
 * questions that come while `concurrency` calls are running wait for the next call. A call has questions of live organizations, or of one
 * sandbox, and runs with the request id and the trace of the first. When a call with several questions fails, each question is asked again
 * by itself.
 */
// Not Effect's `RequestResolver`: it limits no calls at once (`batchN` starts each full batch immediately), its calls belong to no
// scope, and all answers must be there before a call ends. With a semaphore in its delay it took 20 to 30 % more CPU a question.
export const makeBatcher = Effect.gen(function* () {
  const scope = yield* Effect.scope
  // The check of the call itself does not see the transactions of the fibers that wait for it.
  const requireNoTransaction = yield* outsideTransaction("A batched question was asked")

  return <Question, Answer>(
    ask: (questions: ReadonlyArray<Question>) => Effect.Effect<ReadonlyArray<Answer>>,
    { concurrency, maxBatchSize }: BatcherOptions
  ) => {
    // In turn, by their groups, none of which is empty.
    const waiting = new Map<string, Array<PendingQuestion<Question, Answer>>>()
    const missing = Exit.die(new Error("A batched call returned fewer answers than it had questions"))
    let running = 0

    const answerAll = (batch: ReadonlyArray<PendingQuestion<Question, Answer>>): Effect.Effect<void> =>
      Effect.flatMap(Effect.exit(ask(batch.map(({ question }) => question))), (exit) => {
        if (Exit.isFailure(exit) && batch.length > 1 && !Cause.hasInterrupts(exit.cause)) {
          return Effect.forEach(batch, (pending) => answerAll([pending]), { concurrency: "unbounded", discard: true })
        }
        const answers = Exit.isFailure(exit)
          ? batch.map(() => Exit.failCause(exit.cause))
          : exit.value.map(Exit.succeed)
        resumeInBatches([...batch.entries()], ([index, { answer }]) =>
          Deferred.doneUnsafe(answer, answers[index] ?? missing)
        )
        return Effect.void
      })

    // A call for each question, when batching is switched off.
    const askAlone = (question: Question): Effect.Effect<Answer> =>
      Effect.flatMap(ask([question]), (answers) => answers.map(Exit.succeed)[0] ?? missing)

    const startCalls = () => {
      for (const [group, questions] of waiting) {
        if (running >= concurrency) return
        const batch = questions.splice(0, maxBatchSize)
        waiting.delete(group)
        if (questions.length > 0) waiting.set(group, questions)
        const [first] = batch
        if (first === undefined) return
        running += 1
        const end = Effect.sync(() => {
          running -= 1
          startCalls()
        })
        Fiber.runIn(Effect.runForkWith(first.context)(Effect.ensuring(answerAll(batch), end)), scope)
      }
    }

    return (question: Question): Effect.Effect<Answer> =>
      Effect.andThen(
        requireNoTransaction,
        Effect.contextWith((context: Context.Context<never>) => {
          if (!isFast("batching")) return askAlone(question)
          const pending: PendingQuestion<Question, Answer> = { question, answer: Deferred.makeUnsafe(), context }
          const group = groupOf(context)
          const others = waiting.get(group)
          if (waiting.size === 0) setImmediate(startCalls)
          if (others === undefined) waiting.set(group, [pending])
          else others.push(pending)
          const giveUp = Effect.sync(() => {
            const rest = (waiting.get(group) ?? []).filter((each) => each !== pending)
            if (rest.length === 0) waiting.delete(group)
            else waiting.set(group, rest)
          })
          return Effect.onInterrupt(Deferred.await(pending.answer), () => giveUp)
        })
      )
  }
})
