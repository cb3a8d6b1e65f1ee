import { say } from "../say.ts"
import type { Times } from "./measureOperations.ts"

const aim = 1.3

/** Says what everything takes with few and with many rows, and answers what takes too much more with many. */
export const reportRatios = (few: Times, many: Times): ReadonlyArray<string> => {
  const width = Math.max(...Array.from(few.keys(), (name) => name.length))
  const rows = Array.from(few, ([name, before]) => {
    const after = many.get(name) ?? Number.NaN
    return { name, before, after, isOver: !(after / before <= aim) }
  })
  say(`\n${"milliseconds, medians".padEnd(width)}${"few".padStart(9)}${"many".padStart(9)}${"ratio".padStart(7)}`)
  for (const { after, before, isOver, name } of rows) {
    const numbers = `${before.toFixed(2).padStart(9)}${after.toFixed(2).padStart(9)}${(after / before).toFixed(2).padStart(7)}`
    say(`${name.padEnd(width)}${numbers}${isOver ? `  OVER ${aim}` : ""}`)
  }
  return rows.flatMap(({ isOver, name }) => (isOver ? [name] : []))
}
