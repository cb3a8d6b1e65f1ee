import { accessSync, constants, existsSync, mkdirSync } from "node:fs"
import { dirname, sep } from "node:path"
import { Effect } from "effect"
import { messageOf } from "../messageOf.ts"
import { StartFailed } from "./StartFailed.ts"

// Not with `recursive`: where a folder can hold no other, as in /proc, Node.js then tries for ever.
const make = (directory: string): void => {
  if (existsSync(directory)) return
  make(dirname(directory))
  try {
    mkdirSync(directory)
  } catch (error) {
    // Another start may have been faster.
    if (!existsSync(directory)) throw error
  }
}

/** Makes the data directory; fails with a sentence when it cannot be made or written to. */
export const makeDataDirectory = (directory: string): Effect.Effect<void, StartFailed> =>
  Effect.try({
    try: () => {
      make(directory)
      accessSync(`${directory}${sep}.`, constants.W_OK)
    },
    catch: (error) =>
      new StartFailed({
        message: `The data directory ${directory} cannot be used (${messageOf(error)}): set CARE_DATA_DIR to a folder that can be written to.`
      })
  })
