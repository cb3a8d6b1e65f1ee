import type { CaseSummary } from "@care/domain/cases"
import type { OrganizationId } from "@care/domain/ids"
import { useState } from "react"
import { Button } from "../../../ui/Button.tsx"
import { Choice } from "../../../ui/Choice.tsx"
import { Failure } from "../../../ui/Failure.tsx"
import { Skeleton } from "../../../ui/Skeleton.tsx"
import { counted } from "../../../ui/words.ts"
import { AssignWindow } from "./AssignWindow.tsx"
import { useProviders } from "./useProviders.ts"

interface AssignBarProps {
  readonly organizationId: OrganizationId
  readonly cases: ReadonlyArray<CaseSummary>
  readonly onDone: () => void
}

// The most that one request assigns.
const maxCases = 100

/** Assigns the selected cases to a provider. */
export const AssignBar = ({ cases, onDone, organizationId }: AssignBarProps) => {
  const providers = useProviders(organizationId)
  const [providerId, setProviderId] = useState("")
  const [isOpen, setOpen] = useState(false)
  const provider = providers.data?.find(({ id }) => id === providerId)
  return (
    <section
      aria-label="Selected cases"
      className="sticky bottom-3 flex flex-wrap items-end gap-3 rounded-lg border border-line bg-surface p-3 shadow-lg"
    >
      <p role="status" className="self-center font-medium">
        {counted(cases.length, "case")} selected
        {cases.length > maxCases ? `; at most ${maxCases} at once` : ""}
      </p>
      {providers.data === undefined ? (
        providers.error === null ? (
          <Skeleton lines={1} />
        ) : (
          <Failure error={providers.error} onRetry={() => void providers.refetch()} />
        )
      ) : (
        <div className="w-64 max-w-full">
          <Choice
            label="Provider"
            isLabelHidden
            value={providerId}
            options={[
              { value: "", text: providers.data.length === 0 ? "There is no provider" : "Choose a provider" },
              ...providers.data.map(({ firstName, id, lastName }) => ({ value: id, text: `${firstName} ${lastName}` }))
            ]}
            onChange={setProviderId}
          />
        </div>
      )}
      <Button
        look="primary"
        isDisabled={provider === undefined || cases.length > maxCases}
        onPress={() => setOpen(true)}
      >
        Assign
      </Button>
      <Button look="quiet" onPress={onDone}>
        Clear
      </Button>
      {provider === undefined ? null : (
        <AssignWindow
          organizationId={organizationId}
          cases={cases}
          provider={provider}
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false)
            onDone()
          }}
        />
      )}
    </section>
  )
}
