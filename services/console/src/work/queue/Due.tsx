import { organizationNow } from "../../client/clock.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Moment } from "../../ui/Moment.tsx"

/** The day on which a case is due, by its end in UTC, and whether that is over. */
export const Due = ({ date }: { readonly date: string | null }) => {
  if (date === null) return "-"
  const end = new Date(`${date}T23:59:59.999Z`)
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Moment at={end} />
      {end.getTime() < organizationNow() ? <Badge look="bad" text="Overdue" /> : null}
    </span>
  )
}
