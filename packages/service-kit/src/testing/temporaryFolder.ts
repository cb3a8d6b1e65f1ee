import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

const memory = "/dev/shm"
const roomBytes = 2 * 1024 ** 3

const hasRoom = (folder: string): boolean => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > roomBytes
}

// PostgreSQL makes a thousand files before it does anything, which takes a disk ten times as long.
const fastest = existsSync(memory) && hasRoom(memory) ? memory : tmpdir()

/**
 * A folder of its own, in memory where the system has room for a database there; gone when the scope closes. Every account
 * can enter it, as PostgreSQL's has to, unless the mode says otherwise.
 */
export const temporaryFolder = (mode = 0o755, parent = fastest) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const made = mkdtempSync(join(parent, "care-test-"))
      chmodSync(made, mode)
      return made
    }),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )
