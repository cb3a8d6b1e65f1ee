import { spawn } from "node:child_process"
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { endOf, killGroup } from "./childProcess.ts"
import { EmbeddedPostgresFailed } from "./EmbeddedPostgresFailed.ts"
import { plainEnvironment } from "./plainEnvironment.ts"
import { postgresAccount } from "./postgresBinaries.ts"
import { thrownMessage } from "./thrownMessage.ts"

const failed = (directory: string, reason: string) =>
  new EmbeddedPostgresFailed({
    message: `PostgreSQL cannot be initialised in ${directory}: ${reason.trim().replaceAll("\n", " ")}`
  })

const attempt = <A>(directory: string, action: () => A) =>
  Effect.try({ try: action, catch: (error) => failed(directory, thrownMessage(error)) })

const makeFolder = (directory: string, password: string) => {
  const folder = mkdtempSync(`${directory}-new-`)
  // A file, because every account of the machine can read command lines.
  const passwordFile = join(folder, "password")
  writeFileSync(passwordFile, password, { mode: 0o600 })
  const account = postgresAccount()
  if (account !== undefined) for (const path of [folder, passwordFile]) chownSync(path, account.uid, account.gid)
  return folder
}

const initdb = Effect.fnUntraced(function* (bin: string, folder: string, isDurable: boolean) {
  const logFile = join(folder, "log")
  const log = openSync(logFile, "w")
  const end = yield* Effect.acquireUseRelease(
    Effect.sync(() =>
      spawn(
        join(bin, "initdb"),
        [
          ...["-D", join(folder, "data"), "-U", "postgres", "-A", "scram-sha-256", "-E", "UTF8", "--locale=C"],
          ...[`--pwfile=${join(folder, "password")}`, ...(isDurable ? [] : ["--no-sync"])]
        ],
        {
          ...postgresAccount(),
          detached: true,
          stdio: ["ignore", "ignore", log],
          cwd: folder,
          env: plainEnvironment(process.env)
        }
      )
    ),
    endOf,
    killGroup
  )
  closeSync(log)
  if (end !== "exit code 0") return yield* Effect.fail(readFileSync(logFile, "utf8") || end)
})

/**
 * Makes a new PostgreSQL data directory with a superuser `postgres`. It is renamed when complete, so that an
 * interrupted initialisation is never taken for a database.
 */
export const initialisePostgres = (
  directory: string,
  { bin, isDurable, password }: { readonly bin: string; readonly isDurable: boolean; readonly password: string }
): Effect.Effect<void, EmbeddedPostgresFailed> =>
  Effect.acquireUseRelease(
    attempt(directory, () => makeFolder(directory, password)),
    (folder) =>
      initdb(bin, folder, isDurable).pipe(
        Effect.mapError((message) => failed(directory, message)),
        Effect.andThen(attempt(directory, () => renameSync(join(folder, "data"), directory)))
      ),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  )
