import type { IssuedApiKey } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { ShownOnce } from "../../ui/ShownOnce.tsx"
import { Window } from "../../ui/Window.tsx"
import { NewKeyForm } from "./NewKeyForm.tsx"

/** The button that issues a key. The key is shown until the person says that they have it. */
export const IssueKey = ({ organizationId }: { readonly organizationId: OrganizationId }) => {
  const [isOpen, setOpen] = useState(false)
  const [issued, setIssued] = useState<IssuedApiKey>()
  const close = () => setOpen(false)
  return (
    <>
      <Button
        look="primary"
        onPress={() => {
          setIssued(undefined)
          setOpen(true)
        }}
      >
        Issue a key
      </Button>
      <Window
        title={issued === undefined ? "Issue an API key" : "Your new API key"}
        isOpen={isOpen}
        // A click beside the window would lose the key.
        onClose={issued === undefined ? close : () => {}}
      >
        {issued === undefined ? (
          <NewKeyForm organizationId={organizationId} onIssued={setIssued} onCancel={close} />
        ) : (
          <ShownOnce secret={issued.key} onDone={close}>
            Copy the key now, and keep it where only your servers read it. It is not shown again.
          </ShownOnce>
        )}
      </Window>
    </>
  )
}
