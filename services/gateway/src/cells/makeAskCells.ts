import { isUnavailable, PeerUnavailable } from "@care/service-kit"
import { Clock, Effect, Option } from "effect"
import type { Cell } from "./Cells.ts"

// For how long a cell that did not answer counts as away, so that not every question waits for it.
const pauseMillis = 10_000

/** Makes the functions that ask several cells at once, and wait for each for a limited time. */
export const makeAskCells = (limitMillis: number) => {
  const awayUntil = new Map<string, number>()

  const answerOf = Effect.fnUntraced(function* <A, E, R>({ name }: Cell, answer: Effect.Effect<A, E, R>) {
    const now = yield* Clock.currentTimeMillis
    if (now < (awayUntil.get(name) ?? 0)) return Option.none<A>()
    return yield* answer.pipe(
      Effect.timeoutOrElse({
        duration: limitMillis,
        orElse: () => Effect.die(new PeerUnavailable({ peer: `the cell ${name}` }))
      }),
      Effect.map(Option.some),
      Effect.catchDefect((defect) =>
        Effect.gen(function* () {
          if (!isUnavailable(defect)) return yield* Effect.die(defect)
          awayUntil.set(name, (yield* Clock.currentTimeMillis) + pauseMillis)
          yield* Effect.logWarning(`The cell ${name} does not answer`)
          return Option.none<A>()
        })
      )
    )
  })

  /** Returns the answers, and the names of the cells that did not answer. */
  const askEach = Effect.fnUntraced(function* <A, E, R>(
    cells: ReadonlyArray<Cell>,
    ask: (cell: Cell) => Effect.Effect<A, E, R>
  ) {
    const results = yield* Effect.forEach(
      cells,
      (cell) => Effect.map(answerOf(cell, ask(cell)), (answer) => ({ answer, name: cell.name })),
      { concurrency: "unbounded" }
    )
    return {
      answers: results.flatMap(({ answer }) => Option.toArray(answer)),
      cellsAway: results.flatMap(({ answer, name }) => (Option.isNone(answer) ? [name] : []))
    }
  })

  /** Does the same, and dies if no cell answers. The only cell has all the time that its own calls have. */
  const askSome = Effect.fnUntraced(function* <A, E, R>(
    cells: ReadonlyArray<Cell>,
    ask: (cell: Cell) => Effect.Effect<A, E, R>
  ) {
    const [first, ...others] = cells
    if (first !== undefined && others.length === 0) return { answers: [yield* ask(first)], cellsAway: [] }
    const { answers, cellsAway } = yield* askEach(cells, ask)
    if (answers.length === 0) return yield* Effect.die(new PeerUnavailable({ peer: "every cell" }))
    return { answers, cellsAway }
  })

  return { askEach, askSome }
}

/** How long the lists of operators wait for a cell. */
export const listMillis = 3000
