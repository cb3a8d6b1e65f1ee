import { makeFolder } from "@care/service-kit/boot"
import { StartFailed } from "@care/stand-ins"
import { Effect } from "effect"
import { thrownMessage } from "../thrownMessage.ts"

/** Makes the data directory; fails with a sentence when it cannot be made or written. */
export const makeDataDirectory = (directory: string): Effect.Effect<void, StartFailed> =>
  Effect.try({
    try: () => makeFolder(directory),
    catch: (error) =>
      new StartFailed({
        message: `The data directory ${directory} cannot be used (${thrownMessage(error)}): set CARE_DATA_DIR to a folder that can be written to.`
      })
  })
