import { accessSync, constants, existsSync, mkdirSync } from "node:fs"
import { dirname, sep } from "node:path"

// Not with `recursive`: where a folder can hold no other, as in /proc, Node.js then tries for ever.
const make = (folder: string, mode: number): void => {
  if (existsSync(folder)) return
  make(dirname(folder), mode)
  try {
    mkdirSync(folder, mode)
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(folder)) throw error
  }
}

/** Makes a folder with those above it, unless they are there. Throws when it cannot be made or written to. */
export const makeFolder = (folder: string, mode = 0o777): void => {
  make(folder, mode)
  accessSync(`${folder}${sep}.`, constants.W_OK)
}
