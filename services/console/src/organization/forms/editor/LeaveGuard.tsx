import { useBlocker } from "@tanstack/react-router"
import { Confirmation } from "../../../ui/Confirmation.tsx"

/** Asks before a page with something that was typed and not saved is left. */
export const LeaveGuard = ({ isDirty }: { readonly isDirty: () => boolean }) => {
  const blocker = useBlocker({ shouldBlockFn: isDirty, enableBeforeUnload: isDirty, withResolver: true })
  return (
    <Confirmation
      title="Leave the form?"
      action="Leave"
      isDanger
      isOpen={blocker.status === "blocked"}
      onClose={() => blocker.reset?.()}
      onConfirm={() => Promise.resolve(blocker.proceed?.())}
    >
      <p>The form is not added yet. What you typed is lost when you leave.</p>
    </Confirmation>
  )
}
