import { open } from "node:fs/promises"

/** Syncs a folder, which has the names of its files: otherwise a power cut may lose a file that was synced itself. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
