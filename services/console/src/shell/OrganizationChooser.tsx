import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { chooseOrganization, useOrganizationId } from "../session/chosenOrganization.ts"
import { Button } from "../ui/Button.tsx"
import { Window } from "../ui/Window.tsx"
import { OrganizationFinder } from "./OrganizationFinder.tsx"
import { organizationsQuery } from "./organizationsQuery.ts"

/** The organization that an operator looks at, and the choice of another one. */
export const OrganizationChooser = () => {
  const organizationId = useOrganizationId()
  const { data } = useQuery(organizationsQuery)
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const name =
    organizationId === undefined
      ? "All organizations"
      : (data?.find(({ id }) => id === organizationId)?.name ?? "One organization")
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="flex w-full items-center justify-between gap-2 rounded-md border border-field px-3 py-1.5 text-left hover:bg-raised"
      >
        <span className="min-w-0">
          <span className="block text-xs text-muted">You look at</span>
          <span dir="auto" className="line-clamp-2 font-medium break-words">
            {name}
          </span>
        </span>
        <span aria-hidden="true" className="text-muted">
          ▾
        </span>
      </button>
      <Window title="Choose what you look at" isOpen={isOpen} onClose={close}>
        <OrganizationFinder onChosen={close} />
        <Button
          isDisabled={organizationId === undefined}
          onPress={() => {
            chooseOrganization(undefined)
            close()
          }}
        >
          All organizations
        </Button>
      </Window>
    </>
  )
}
