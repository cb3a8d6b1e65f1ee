import type { CaseViewers } from "@care/domain/cases"
import type { CaseId } from "@care/domain/ids"
import { fullName } from "../data/useNames.ts"
import { useViewers } from "../data/useViewers.ts"

const list = new Intl.ListFormat("en", { type: "conjunction" })

const inWords = (viewers: CaseViewers["data"]): string =>
  viewers.length === 0 ? "" : `${list.format(viewers.map(fullName))} ${viewers.length === 1 ? "is" : "are"} here too`

/** Who else looks at the case at this moment. */
export const Viewers = ({ caseId }: { readonly caseId: CaseId }) => {
  const text = inWords(useViewers(caseId))
  return (
    <p role="status" className="rounded-full bg-warn-soft px-2 text-sm font-medium text-warn empty:hidden">
      {text}
    </p>
  )
}
