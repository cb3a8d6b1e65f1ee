import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { Effect } from "effect"

/**
 * Simulates a disk with a number of free bytes, for synchronous writes until the scope closes. A write that is too large is done in part,
 * and later ones fail with ENOSPC.
 */
export const fillDisk = (room: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const { writeSync } = fs
      let remaining = room
      fs.writeSync = Object.assign((descriptor: number, data: string | Uint8Array, offset = 0) => {
        if (remaining === 0)
          throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" })
        const bytes = Buffer.from(data)
        const count = writeSync(descriptor, bytes, offset, Math.min(remaining, bytes.length - offset))
        remaining -= count
        return count
      }, writeSync)
      syncBuiltinESMExports()
      return writeSync
    }),
    (writeSync) =>
      Effect.sync(() => {
        fs.writeSync = writeSync
        syncBuiltinESMExports()
      })
  )
