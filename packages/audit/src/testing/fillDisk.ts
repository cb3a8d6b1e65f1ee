import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { Effect } from "effect"

/**
 * From now on everything that is written synchronously has so many bytes of room, and then the disk is full: of what is too
 * much a part is written, as a disk does it. Until the scope closes.
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
