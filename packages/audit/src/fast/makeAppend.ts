import { isFast, resumeInBatches } from "@care/service-kit"
import { Effect } from "effect"
import type { OutboxLine } from "../makeOutboxFile.ts"

interface Waiting extends OutboxLine {
  readonly resume: (kept: Effect.Effect<void>) => void
}

interface AppendOptions {
  /** Takes room for a line. Returns false if its organization has none left. */
  readonly takeRoom: (line: OutboxLine) => boolean
  /** Writes lines, which have room. */
  readonly keep: (lines: ReadonlyArray<OutboxLine>) => Effect.Effect<void>
  readonly refuse: (line: OutboxLine) => Effect.Effect<void>
}

/**
 * Makes the function that appends a line. Lines of one turn of the event loop are one write. Their fibers resume together, because
 * answers that are written together are also read together. The plain way is a write for each.
 */
export const makeAppend = ({ keep, refuse, takeRoom }: AppendOptions) => {
  let waiting: Array<Waiting> = []
  const appendWaiting = () => {
    const [accepted, refused]: [typeof waiting, typeof waiting] = [[], []]
    for (const one of waiting) (takeRoom(one) ? accepted : refused).push(one)
    waiting = []
    const kept = accepted.length === 0 ? Effect.void : keep(accepted)
    resumeInBatches(accepted, ({ resume }) => resume(kept))
    resumeInBatches(refused, (one) => one.resume(refuse(one)))
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
