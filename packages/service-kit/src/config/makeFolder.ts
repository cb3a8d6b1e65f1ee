import { accessSync, constants, existsSync, mkdirSync } from "node:fs"
import { dirname, sep } from "node:path"

// Not with `recursive`: in a folder that can hold no other, such as /proc, Node.js would try for ever.
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

/** Makes a folder and its parents if they do not exist. Throws if it cannot be made or written to. */
export const makeFolder = (folder: string, mode = 0o777): void => {
  make(folder, mode)
  accessSync(`${folder}${sep}.`, constants.W_OK)
}
