import { isFast, resumeInBatches } from "@care/service-kit"
import { Effect } from "effect"
import type { OutboxLine } from "../makeOutboxFile.ts"

interface Waiting extends OutboxLine {
  readonly resume: (written: Effect.Effect<void>) => void
}

interface AppendOptions {
  /** Takes room for a line. Returns false if its organization has none left. */
  readonly takeRoom: (line: OutboxLine) => boolean
  /** Writes lines, which have room. */
  readonly keep: (lines: ReadonlyArray<OutboxLine>) => Effect.Effect<void>
  readonly refuse: (line: OutboxLine) => Effect.Effect<void>
}

/**
 * Makes the function that appends a line. The lines of one turn of the event loop are one write. Their fibers resume together, because
 * answers that are written together are also read together. The plain way is one write for each line.
 */
export const makeAppend = ({ keep, refuse, takeRoom }: AppendOptions) => {
  let waiting: Array<Waiting> = []
  const appendWaiting = () => {
    const [accepted, refused]: [typeof waiting, typeof waiting] = [[], []]
    for (const line of waiting) (takeRoom(line) ? accepted : refused).push(line)
    waiting = []
    const written = accepted.length === 0 ? Effect.void : keep(accepted)
    resumeInBatches(accepted, ({ resume }) => resume(written))
    resumeInBatches(refused, (line) => line.resume(refuse(line)))
  }
  return (line: OutboxLine): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (!isFast("appending")) return takeRoom(line) ? keep([line]) : refuse(line)
      return Effect.callback<void>((resume) => {
        if (waiting.length === 0) setImmediate(appendWaiting)
        waiting.push({ ...line, resume })
      })
    })
}
