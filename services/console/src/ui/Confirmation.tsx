import { useMutation } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Button } from "./Button.tsx"
import { Failure } from "./Failure.tsx"
import { Window } from "./Window.tsx"

interface ConfirmationProps {
  readonly title: string
  /** What will happen, with the name of the thing that it happens to. */
  readonly children: ReactNode
  readonly action: string
  readonly isDanger?: boolean
  /** Whether something is missing that has to be entered first. */
  readonly isDisabled?: boolean
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onConfirm: () => Promise<unknown>
}

/** Asks before something that cannot be undone. It closes when that is done, and shows why it failed. */
export const Confirmation = ({
  action,
  children,
  isDanger = false,
  isDisabled = false,
  isOpen,
  onClose,
  onConfirm,
  title
}: ConfirmationProps) => {
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: onClose })
  const close = () => {
    confirm.reset()
    onClose()
  }
  return (
    <Window title={title} isOpen={isOpen} onClose={close}>
      <div className="flex flex-col gap-3">{children}</div>
      {confirm.error === null ? null : <Failure error={confirm.error} />}
      <div className="flex justify-end gap-2">
        <Button onPress={close}>Cancel</Button>
        <Button
          look={isDanger ? "danger" : "primary"}
          isDisabled={isDisabled}
          isPending={confirm.isPending}
          onPress={() => confirm.mutate()}
        >
          {action}
        </Button>
      </div>
    </Window>
  )
}
