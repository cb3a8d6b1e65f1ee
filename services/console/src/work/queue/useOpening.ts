import type { Dashboard } from "@care/domain/cases"
import { useState } from "react"
import { openingView, type QueueView } from "./queueViews.ts"

interface Changes {
  readonly data: { readonly counts: Dashboard } | null | undefined
  readonly error: Error | null
}

/** Returns the view that the queue opens with, by what there is then; undefined until that is known. It stays, whatever comes later. */
export const useOpening = ({ data, error }: Changes, role: string): QueueView | undefined => {
  const [opening, setOpening] = useState<QueueView | undefined>(role === "PROVIDER" ? undefined : "waiting")
  if (opening !== undefined) return opening
  if (error !== null) setOpening("waiting")
  else if (data !== undefined && data !== null) setOpening(openingView(data.counts, role))
  return undefined
}
