import { Effect } from "effect"
import { type Cell, Cells } from "./Cells.ts"

/** Makes a value for each cell. Returns the function that finds a cell's. */
export const perCell = Effect.fnUntraced(function* <A, E, R>(make: (cell: Cell) => Effect.Effect<A, E, R>) {
  const { all } = yield* Cells
  const byCell = new Map(
    yield* Effect.forEach(all, (cell) => Effect.map(make(cell), (value) => [cell, value] as const))
  )
  return (cell: Cell): A => {
    const value = byCell.get(cell)
    if (value === undefined) throw new Error(`The cell ${cell.name} was made later`)
    return value
  }
})
