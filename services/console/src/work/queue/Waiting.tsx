import { organizationNow } from "../../client/clock.ts"
import { Badge, type BadgeLook } from "../../ui/Badge.tsx"
import { Moment } from "../../ui/Moment.tsx"

const hour = 3_600_000

const ages: ReadonlyArray<{ readonly hours: number; readonly text: string; readonly look: BadgeLook }> = [
  { hours: 24, text: "Over a day", look: "bad" },
  { hours: 4, text: "Over four hours", look: "warn" },
  { hours: 1, text: "Over an hour", look: "plain" }
]

/** Since when a case waits. The longer, the more urgent it looks. */
export const Waiting = ({ since }: { readonly since: Date | null }) => {
  if (since === null) return "-"
  const age = ages.find(({ hours }) => organizationNow() - since.getTime() >= hours * hour)
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Moment at={since} />
      {age === undefined ? null : <Badge look={age.look} text={age.text} />}
    </span>
  )
}
