import { randomUUID } from "node:crypto"
import { type FileHandle, open, unlink } from "node:fs/promises"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"

/** A file of the spool: a line of JSON for each record. */
interface Segment {
  readonly path: string
  readonly handle: FileHandle
  bytes: number
  /** What was written last broke off. */
  isTorn: boolean
}

// Of the file's name, too: without it a power cut takes the whole file.
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * The spool of one process: lines are appended to a file, which is sealed from time to time so that others come into the
 * next one, and removed when its lines are elsewhere. Of what is appended in one turn of the event loop there is one write.
 */
export const makeSpoolFile = (folder: string, mostBytes: number) => {
  const instance = randomUUID()
  let segments = 0
  let current: Segment | undefined
  let sealed: Segment | undefined
  let gathered = ""
  let batch: Promise<void> | undefined
  // One thing at a time is done to the files, whether or not what was done before worked.
  let last: Promise<unknown> = Promise.resolve()
  const afterLast = <A>(work: () => Promise<A>): Promise<A> => {
    const done = last.then(work, work)
    last = done
    return done
  }

  const bytes = () => gathered.length + (current?.bytes ?? 0) + (sealed?.bytes ?? 0)

  const openSegment = async (): Promise<Segment> => {
    segments += 1
    const path = join(folder, `${instance}-${segments}.jsonl`)
    return { path, handle: await open(path, "ax+", 0o600), bytes: 0, isTorn: false }
  }

  const write = async () => {
    await setImmediate()
    const lines = gathered
    gathered = ""
    batch = undefined
    current ??= await openSegment()
    const segment = current
    const text = segment.isTorn ? `\n${lines}` : lines
    segment.isTorn = true
    await segment.handle.appendFile(text)
    segment.isTorn = false
    segment.bytes += Buffer.byteLength(text)
  }

  return {
    instance,
    /** How many bytes wait. */
    bytes,
    /** Appends a line: done when the operating system has it. Fails when there is no room. */
    append: (line: string): Promise<void> => {
      if (bytes() + line.length > mostBytes) {
        return Promise.reject(new Error(`${mostBytes} bytes of audit records wait for the database`))
      }
      gathered += `${line}\n`
      batch ??= afterLast(write)
      return batch
    },
    /** Done when the lines so far are on the disk, whatever those that were sealed wait for. */
    sync: () =>
      afterLast(async () => {
        await current?.handle.datasync()
        if (current !== undefined) await syncFolder(folder)
      }),
    /** The lines so far, on the disk: more are appended elsewhere. The same again until they are removed; undefined when there are none. */
    seal: () =>
      afterLast(async () => {
        if (sealed === undefined && current !== undefined) {
          sealed = current
          current = undefined
          await sealed.handle.datasync()
          await syncFolder(folder)
        }
        return sealed?.handle
      }),
    /** Removes what was sealed. Somebody else may have taken it over and removed it. */
    remove: async () => {
      const segment = sealed
      sealed = undefined
      await segment?.handle.close()
      if (segment !== undefined) await unlink(segment.path).catch(() => {})
    }
  }
}
