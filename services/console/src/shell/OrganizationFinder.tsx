import type { Organization } from "@care/domain/auth"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { chooseOrganization } from "../session/chosenOrganization.ts"
import { Badge } from "../ui/Badge.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Finder } from "../ui/Finder.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { organizationsQuery } from "./organizationsQuery.ts"

const limit = 50

/** Chooses the organization whose things an operator looks at, by its name or id. */
export const OrganizationFinder = ({ onChosen }: { readonly onChosen?: () => void }) => {
  const [text, setText] = useState("")
  const { data, error, refetch } = useQuery(organizationsQuery)
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton />
  const sought = text.trim().toLowerCase()
  const matching = data.filter(({ id, name }) => name.toLowerCase().includes(sought) || id === sought)
  return (
    <div className="flex flex-col gap-3">
      <Finder<Organization>
        label="Organization"
        hint="A part of its name, or its id."
        text={text}
        onText={setText}
        entries={matching.slice(0, limit)}
        keyOf={({ id }) => id}
        textOf={({ name }) => name}
        onChoose={({ id }) => {
          chooseOrganization(id)
          onChosen?.()
        }}
      >
        {({ isDisabled, name }) => (
          <span className="flex items-baseline justify-between gap-3">
            <span dir="auto" className="min-w-0 break-words">
              {name}
            </span>
            {isDisabled ? <Badge look="warn" text="Disabled" /> : null}
          </span>
        )}
      </Finder>
      <p role="status" className="text-sm text-muted">
        {matching.length === 0 ? "No organization has this name." : null}
        {matching.length > limit ? `The first ${limit} of ${matching.length}. Type more of the name.` : null}
      </p>
    </div>
  )
}
