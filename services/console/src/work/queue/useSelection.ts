import type { CaseSummary } from "@care/domain/cases"
import { useState } from "react"

/** The cases that a person has ticked, in the order of the ticks. */
export const useSelection = () => {
  const [cases, setCases] = useState<ReadonlyArray<CaseSummary>>([])
  const has = (id: string) => cases.some((selected) => selected.id === id)
  return {
    cases,
    has,
    toggle: (row: CaseSummary) => setCases(has(row.id) ? cases.filter(({ id }) => id !== row.id) : [...cases, row]),
    clear: () => setCases([])
  }
}
