import { randomUUID } from "node:crypto"
import fs, { closeSync, openSync, read, writeSync } from "node:fs"
import { unlink } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { type FairShare, syncFolder } from "@care/service-kit"

const readAt = promisify(read)

// Looked up at each call, so that a test can watch it.
const datasync = (descriptor: number) => promisify(fs.fdatasync)(descriptor)

/** What the names of files of an outbox end with. */
export const outboxSuffix = ".lines"

/** A record as a line of JSON. */
export interface OutboxLine {
  readonly organizationId: string
  readonly line: string
}

/** A file of the outbox, with a line of JSON for each record. */
interface Segment {
  readonly path: string
  readonly descriptor: number
  bytes: number
  /** The length of the lines of each organization. */
  readonly bytesOf: Map<string, number>
  /** Whether the previous write was incomplete. */
  isTorn: boolean
}

// Reads from the open file, because another process may have taken it over and removed its name.
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

// Writes the text without a copy of it if there is room for all of it.
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
 * Makes the outbox of one process. Lines are appended to a file. A sealed file gets no more lines, and is removed when its lines are in the
 * database. `share` is the room of all files; a removed file gives it back.
 */
export const makeOutboxFile = (folder: string, share: FairShare) => {
  const instance = randomUUID()
  let segments = 0
  let current: Segment | undefined
  let sealed: Segment | undefined
  // Operations on the disk run one at a time, also after one has failed.
  let previous: Promise<unknown> = Promise.resolve()
  const afterPrevious = <A>(work: () => Promise<A>): Promise<A> => {
    const operation = previous.then(work, work)
    previous = operation
    return operation
  }

  const bytes = () => (current?.bytes ?? 0) + (sealed?.bytes ?? 0)

  const openSegment = (): Segment => {
    segments += 1
    const path = join(folder, `${instance}-${segments}${outboxSuffix}`)
    return { path, descriptor: openSync(path, "ax+", 0o600), bytes: 0, bytesOf: new Map(), isTorn: false }
  }

  return {
    instance,
    bytes,
    /** Appends lines whose organizations have taken room, synchronously, which takes microseconds. If that fails it gives the room back. */
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
          segment.bytesOf.set(organizationId, (segment.bytesOf.get(organizationId) ?? 0) + line.length)
        }
      } catch (cause) {
        for (const { line, organizationId } of lines) share.give(organizationId, line.length)
        throw cause
      }
    },
    /** Waits until all lines so far are on the disk. Lines of sealed files do not delay it. */
    sync: () =>
      afterPrevious(async () => {
        if (current === undefined) return
        await datasync(current.descriptor)
        await syncFolder(folder)
      }),
    /** Seals the file and returns its lines, or undefined if there are none. Returns the same lines until they are removed. */
    seal: () =>
      afterPrevious(async () => {
        if (sealed === undefined && current !== undefined) {
          sealed = current
          current = undefined
          await datasync(sealed.descriptor)
          await syncFolder(folder)
        }
        return sealed && textOf(sealed)
      }),
    /** Removes the sealed file, if no other process has done so. */
    remove: () =>
      afterPrevious(async () => {
        const segment = sealed
        sealed = undefined
        if (segment === undefined) return
        for (const [organizationId, bytes] of segment.bytesOf) share.give(organizationId, bytes)
        closeSync(segment.descriptor)
        await unlink(segment.path).catch(() => {})
      })
  }
}
