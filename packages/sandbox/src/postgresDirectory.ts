import { createHash } from "node:crypto"
import { existsSync, mkdirSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { Effect } from "effect"
import { EmbeddedPostgresFailed } from "./EmbeddedPostgresFailed.ts"
import { isReachable, postgresAccount, sharedTemporaryFolder } from "./postgresBinaries.ts"
import { thrownMessage } from "./thrownMessage.ts"

const usableDirectory = (requested: string): string => {
  const account = postgresAccount()
  const absolute = resolve(requested)
  mkdirSync(dirname(absolute), { recursive: true })
  if (account === undefined || isReachable(dirname(absolute))) return absolute
  const name = createHash("sha256").update(absolute).digest("hex").slice(0, 16)
  return join(sharedTemporaryFolder(), `care-postgres-data-${name}`)
}

/**
 * Returns the folder of the data: as root, when PostgreSQL's account cannot enter the requested one, a folder named
 * after it in the system's temporary folder.
 */
export const postgresDirectory = (requested: string): Effect.Effect<string, EmbeddedPostgresFailed> =>
  Effect.try({
    try: () => {
      const directory = usableDirectory(requested)
      const owner = postgresAccount()?.uid ?? process.getuid?.()
      if (owner !== undefined && existsSync(directory) && statSync(directory).uid !== owner) {
        throw new Error(`it belongs to another account (${statSync(directory).uid}, not ${owner})`)
      }
      return directory
    },
    catch: (error) =>
      new EmbeddedPostgresFailed({
        message: `PostgreSQL cannot store its data in ${requested}: ${thrownMessage(error)}.`
      })
  })
