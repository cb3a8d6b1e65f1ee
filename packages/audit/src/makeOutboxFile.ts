import { randomUUID } from "node:crypto"
import fs, { closeSync, openSync, read, writeSync } from "node:fs"
import { open, unlink } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import type { FairShare } from "@care/service-kit"

const readAt = promisify(read)

// Looked up when it is called, so that a test sees what is synced.
const datasync = (descriptor: number) => promisify(fs.fdatasync)(descriptor)

/** A record of an organization, as a line of JSON. */
export interface OutboxLine {
  readonly organizationId: string
  readonly line: string
}

/** A file of the outbox: a line of JSON for each record. */
interface Segment {
  readonly path: string
  readonly descriptor: number
  bytes: number
  /** How many of them are of each organization. */
  readonly held: Map<string, number>
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

// By the open file: its name may be gone, when somebody else took it over.
const textOf = async ({ bytes, descriptor }: Segment): Promise<string> => {
  const text = Buffer.alloc(bytes)
  let length = 0
  while (length < bytes) {
    const { bytesRead } = await readAt(descriptor, text, length, bytes - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return text.toString("utf8", 0, length)
}

// As text, of which no copy is made, as long as all of it has room.
const writeWhole = (segment: Segment, text: string): void => {
  let written = writeSync(segment.descriptor, text)
  segment.bytes += written
  if (written === Buffer.byteLength(text)) return
  const bytes = Buffer.from(text)
  while (written < bytes.length) {
    const count = writeSync(segment.descriptor, bytes, written)
    written += count
    segment.bytes += count
  }
}

/**
 * The outbox of one process: lines are appended to a file, which is sealed from time to time so that others come into the
 * next one, and removed when its lines are elsewhere. `share` is the room that all of them have together: it is given back
 * with the file.
 */
export const makeOutboxFile = (folder: string, share: FairShare) => {
  const instance = randomUUID()
  let segments = 0
  let current: Segment | undefined
  let sealed: Segment | undefined
  // One thing at a time is done to the disk, whether or not what was done before worked.
  let last: Promise<unknown> = Promise.resolve()
  const afterLast = <A>(work: () => Promise<A>): Promise<A> => {
    const done = last.then(work, work)
    last = done
    return done
  }

  const bytes = () => (current?.bytes ?? 0) + (sealed?.bytes ?? 0)

  const openSegment = (): Segment => {
    segments += 1
    const path = join(folder, `${instance}-${segments}.jsonl`)
    return { path, descriptor: openSync(path, "ax+", 0o600), bytes: 0, held: new Map(), isTorn: false }
  }

  return {
    instance,
    /** How many bytes wait. */
    bytes,
    /**
     * Appends lines of organizations that have taken room for them: they are with the operating system then, which takes some
     * microseconds, fewer than to wait for it would. Throws when they cannot be written, and has given their room back.
     */
    append: (lines: ReadonlyArray<OutboxLine>): void => {
      try {
        current ??= openSegment()
        const segment = current
        const text = lines.map(({ line }) => `${line}\n`).join("")
        const isTorn = segment.isTorn
        segment.isTorn = true
        writeWhole(segment, isTorn ? `\n${text}` : text)
        segment.isTorn = false
        for (const { line, organizationId } of lines) {
          segment.held.set(organizationId, (segment.held.get(organizationId) ?? 0) + line.length)
        }
      } catch (cause) {
        for (const { line, organizationId } of lines) share.give(organizationId, line.length)
        throw cause
      }
    },
    /** Done when the lines so far are on the disk, whatever those that were sealed wait for. */
    sync: () =>
      afterLast(async () => {
        if (current === undefined) return
        await datasync(current.descriptor)
        await syncFolder(folder)
      }),
    /** The lines so far, on the disk: more are appended elsewhere. The same again until they are removed; undefined when there are none. */
    seal: () =>
      afterLast(async () => {
        if (sealed === undefined && current !== undefined) {
          sealed = current
          current = undefined
          await datasync(sealed.descriptor)
          await syncFolder(folder)
        }
        return sealed && textOf(sealed)
      }),
    /** Removes what was sealed. Somebody else may have taken it over and removed it. */
    remove: () =>
      afterLast(async () => {
        const segment = sealed
        sealed = undefined
        if (segment === undefined) return
        for (const [organizationId, bytes] of segment.held) share.give(organizationId, bytes)
        closeSync(segment.descriptor)
        await unlink(segment.path).catch(() => {})
      })
  }
}
