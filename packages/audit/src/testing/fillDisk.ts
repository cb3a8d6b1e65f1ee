import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { Effect } from "effect"

/**
 * Lets synchronous writes have a number of bytes of room until the scope closes. Then the disk is full: a write that is too large is done
 * in part, as a disk does it.
 */
export const fillDisk = (room: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const { writeSync } = fs
      let left = room
      fs.writeSync = Object.assign((descriptor: number, given: string | Uint8Array, from = 0) => {
        if (left === 0) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" })
        const bytes = Buffer.from(given)
        const count = writeSync(descriptor, bytes, from, Math.min(left, bytes.length - from))
        left -= count
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
