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

// PostgreSQL makes a thousand files at its start, which takes ten times as long on a disk.
const fastest = existsSync(memory) && hasRoom(memory) ? memory : tmpdir()

/**
 * Makes a folder, in memory if there is room for a database. It is removed when the scope closes. By default every account can enter it,
 * which PostgreSQL's account has to.
 */
export const temporaryFolder = (mode = 0o755, parent = fastest) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(parent, "care-test-"))
      chmodSync(folder, mode)
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
