import type { CellsPosition } from "@care/domain/http"
import type { Page } from "@care/service-kit"
import { Effect } from "effect"
import type { Cell } from "./Cells.ts"
import { listMillis, makeAskCells } from "./makeAskCells.ts"
import { mergeCells, type PageOptions, positionIn } from "./mergePages.ts"

interface CellsQuery<Row, Position> extends PageOptions<Row, Position> {
  readonly cursor: CellsPosition<Position> | undefined
}

/**
 * Makes the function that reads a page of a list of several cells. `ask` returns the pages of a cell after a position. The page names the
 * cells that do not answer; if that is all of them, the function dies.
 */
export const makeReadCells = () => {
  const { askSome } = makeAskCells(listMillis)
  return Effect.fnUntraced(function* <Row, Position, E, R>(
    cells: ReadonlyArray<Cell>,
    { cursor, ...options }: CellsQuery<Row, Position>,
    ask: (cell: Cell, after: Position | undefined) => Effect.Effect<ReadonlyArray<Page<Row, Position>>, E, R>
  ) {
    const progressOf = (cell: string) => ({ cell, requested: positionIn(cursor, cell) })
    const { answers, cellsAway } = yield* askSome(cells, (cell) => {
      const progress = progressOf(cell.name)
      return Effect.map(ask(cell, progress.requested), (pages) => pages.map((page) => ({ ...page, ...progress })))
    })
    const page = mergeCells(answers.flat(), cellsAway.map(progressOf), options)
    return cellsAway.length === 0 ? page : { ...page, cellsAway }
  })
}
