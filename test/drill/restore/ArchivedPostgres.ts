import { constants } from "node:fs"
import { chown, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type RunningPostgres, runEmbeddedPostgres } from "@care/sandbox"
import { Effect } from "effect"
import pg from "pg"

// The contents of these folders are of the running server alone.
const emptyInBackups = new Set(
  "pg_wal pg_replslot pg_dynshmem pg_notify pg_serial pg_snapshots pg_stat_tmp pg_subtrans".split(" ")
)
const leftOut = ["postmaster.pid", "postmaster.opts", "server.log"]

const isGone = (error: unknown): boolean => Object(error).code === "ENOENT"

// Copies a file or a folder with its owner, and returns the bytes. A running server may remove a file meanwhile.
const copyTree = async (from: string, to: string): Promise<number> => {
  const { gid, mode, uid } = await stat(from)
  await mkdir(to, { mode })
  await chown(to, uid, gid)
  let bytes = 0
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (leftOut.includes(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    try {
      if (entry.isDirectory() && !emptyInBackups.has(entry.name)) bytes += await copyTree(source, target)
      else if (entry.isDirectory()) {
        await mkdir(target, { mode: 0o700 })
        await chown(target, uid, gid)
      } else {
        await copyFile(source, target, constants.COPYFILE_FICLONE)
        await chown(target, uid, gid)
        bytes += (await stat(target)).size
      }
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }
  return bytes
}

const inSession = <A>(url: string, use: (client: pg.Client) => Promise<A>) =>
  Effect.acquireUseRelease(
    Effect.promise(async () => {
      const client = new pg.Client({ connectionString: url })
      client.on("error", () => {})
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => use(client)),
    (client) => Effect.promise(() => client.end())
  )

interface Options {
  /** The folder of the data, the archive and the backup. Everybody may enter it. */
  readonly folder: string
  readonly port: number
  readonly password: string
}

/** A PostgreSQL with continuous archiving in a folder, and the steps of its backup and its restore, as PostgreSQL documents them. */
export const makeArchivedPostgres = ({ folder, password, port }: Options) => {
  const archive = join(folder, "archive")
  const backup = join(folder, "backup")
  const run = (settings: Readonly<Record<string, string>>) =>
    runEmbeddedPostgres({
      ...{ directory: join(folder, "postgres"), port, password, isDurable: true },
      settings: {
        wal_level: "replica",
        archive_mode: "on",
        archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
        ...settings
      }
    })

  return {
    /** Starts a new server that archives. */
    start: Effect.gen(function* () {
      // The server runs as another account, if we are root.
      yield* Effect.promise(() => mkdir(archive, { mode: 0o777 }))
      const running = yield* run({})
      const { gid, uid } = yield* Effect.promise(() => stat(running.directory))
      yield* Effect.promise(() => chown(archive, uid, gid))
      return running
    }),

    /** Copies the files of the running server between `pg_backup_start` and `pg_backup_stop`, and returns the bytes. */
    backUp: ({ directory, url }: RunningPostgres) =>
      inSession(url, async (client) => {
        await client.query("SELECT pg_backup_start('drill', true)")
        const bytes = await copyTree(directory, backup)
        const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop()")
        await writeFile(join(backup, "backup_label"), rows[0]?.labelfile ?? "")
        return bytes
      }),

    /** Returns the current time of the server. */
    now: ({ url }: RunningPostgres) =>
      inSession(url, async (client) => {
        const { rows } = await client.query<{ now: string }>("SELECT clock_timestamp()::text AS now")
        return rows[0]?.now ?? ""
      }),

    /** Waits until everything so far is in the archive. `archive_timeout` does that in production. */
    archiveNow: ({ url }: RunningPostgres) =>
      inSession(url, async (client) => {
        const { rows } = await client.query<{ file: string }>("SELECT pg_walfile_name(pg_switch_wal()) AS file")
        const isArchived = async () => {
          const archived = await client.query("SELECT FROM pg_stat_archiver WHERE last_archived_wal >= $1", [
            rows[0]?.file
          ])
          return archived.rowCount === 1
        }
        while (!(await isArchived())) await client.query("SELECT pg_sleep(0.05)")
      }),

    /** Deletes the data folder under the running server, and kills it. */
    destroy: ({ directory, end }: RunningPostgres) =>
      Effect.gen(function* () {
        const [pid] = (yield* Effect.promise(() => readFile(join(directory, "postmaster.pid"), "utf8"))).split("\n")
        yield* Effect.promise(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }))
        try {
          process.kill(Number(pid), "SIGKILL")
        } catch (error) {
          // A server may end by itself when its folder is gone.
          if (Object(error).code !== "ESRCH") throw error
        }
        yield* end
        // What its last processes wrote while they ended.
        yield* Effect.promise(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }))
      }),

    /** Restores the backup and replays the archive up to a time. Returns the server and the time of the last restored transaction. */
    restore: Effect.fnUntraced(function* ({ directory }: RunningPostgres, time: string) {
      yield* Effect.promise(async () => {
        await copyTree(backup, directory)
        const { gid, uid } = await stat(directory)
        await writeFile(join(directory, "recovery.signal"), "")
        for (const name of ["recovery.signal", "backup_label"]) await chown(join(directory, name), uid, gid)
      })
      const running = yield* run({
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_time: time,
        recovery_target_action: "promote"
      })
      const last = yield* inSession(running.url, async (client) => {
        const { rows } = await client.query<{ last: Date }>("SELECT pg_last_xact_replay_timestamp() AS last")
        return rows[0]?.last ?? new Date(0)
      })
      return { running, last }
    })
  }
}

export type ArchivedPostgres = ReturnType<typeof makeArchivedPostgres>
