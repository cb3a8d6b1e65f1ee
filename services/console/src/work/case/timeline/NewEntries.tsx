import type { TimelineEntry } from "@care/domain/cases"
import { useState } from "react"
import type { Names } from "../data/useNames.ts"
import { entryWords } from "./entryWords.ts"

interface NewEntriesProps {
  readonly entries: ReadonlyArray<TimelineEntry>
  readonly names: Names
}

/** Reads aloud what was added to the timeline since the case was opened or last changed. */
export const NewEntries = ({ entries, names }: NewEntriesProps) => {
  const newest = entries[0]?.sequence ?? 0
  const [state, setState] = useState({ newest, text: "" })
  if (newest > state.newest) {
    const added = entries.filter(({ sequence }) => sequence > state.newest)
    const text = added.map((entry) => `${names.authorOf(entry)}: ${entryWords(entry, names)}`).join(". ")
    setState({ newest, text: `New in the timeline. ${text}` })
  }
  return (
    <p role="status" className="sr-only">
      {state.text}
    </p>
  )
}
