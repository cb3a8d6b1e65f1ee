import type { ReactNode } from "react"
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components"
import { classes } from "./classes.ts"

interface WindowProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  readonly isWide?: boolean
}

/** A dialog before the page. Escape and a click beside it close it. */
export const Window = ({ children, isOpen, isWide = false, onClose, title }: WindowProps) => (
  <ModalOverlay
    isOpen={isOpen}
    onOpenChange={(open) => {
      if (!open) onClose()
    }}
    isDismissable
    className="fixed inset-0 z-30 flex items-start justify-center overflow-y-auto bg-black/50 p-4 sm:pt-[10vh]"
  >
    <Modal
      className={classes(
        "w-full rounded-lg border border-line bg-surface shadow-xl",
        isWide ? "max-w-3xl" : "max-w-lg"
      )}
    >
      <Dialog className="flex flex-col gap-4 p-5 break-words outline-none">
        <Heading slot="title" className="text-lg font-semibold">
          {title}
        </Heading>
        {children}
      </Dialog>
    </Modal>
  </ModalOverlay>
)
