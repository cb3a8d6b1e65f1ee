import { say } from "../say.ts"
import type { Times } from "./measureOperations.ts"

const aim = 1.3

/** The operations and jobs that grow too much from few rows to many. */
export const overAim = (few: Times, many: Times): ReadonlyArray<string> =>
  Array.from(few.keys()).filter((name) => !((many.get(name) ?? Number.NaN) / (few.get(name) ?? Number.NaN) <= aim))

/** Prints all times with few and with many rows. */
export const reportRatios = (few: Times, many: Times): void => {
  const over = overAim(few, many)
  const width = Math.max(...Array.from(few.keys(), (name) => name.length))
  say(`\n${"milliseconds, medians".padEnd(width)}${"few".padStart(9)}${"many".padStart(9)}${"ratio".padStart(7)}`)
  for (const [name, before] of few) {
    const after = many.get(name) ?? Number.NaN
    const numbers = [
      before.toFixed(2).padStart(9),
      after.toFixed(2).padStart(9),
      (after / before).toFixed(2).padStart(7)
    ]
    say(`${name.padEnd(width)}${numbers.join("")}${over.includes(name) ? `  OVER ${aim}` : ""}`)
  }
}
