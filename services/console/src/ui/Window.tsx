import { type InputEvent, type ReactNode, useRef, useState } from "react"
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components"
import { flushSync } from "react-dom"
import { Button } from "./Button.tsx"
import { classes } from "./classes.ts"

interface WindowProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  readonly isWide?: boolean
  /** What is typed stays a draft when the window is closed. */
  readonly keepsDraft?: boolean
}

type TextBox = HTMLInputElement | HTMLTextAreaElement

// What is searched for is found again, and a tick is soon set again.
const isKept = (target: EventTarget): target is TextBox =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !["search", "checkbox", "radio", "file"].includes(target.type))

interface OverlayProps {
  readonly role: "dialog" | "alertdialog"
  readonly title: string
  readonly onClose: () => void
  readonly width: string
  readonly children: ReactNode
}

const Overlay = ({ children, onClose, role, title, width }: OverlayProps) => (
  <ModalOverlay
    isOpen
    onOpenChange={onClose}
    isDismissable
    data-window=""
    className="fixed inset-0 z-30 flex items-start justify-center overflow-y-auto bg-black/50 p-4 [scrollbar-color:var(--field)_transparent] sm:pt-[10vh]"
  >
    <Modal className={classes("w-full rounded-lg border border-line bg-surface shadow-xl", width)}>
      <Dialog role={role} className="flex flex-col gap-4 p-5 break-words outline-none">
        <Heading slot="title" className="text-lg font-semibold">
          {title}
        </Heading>
        {children}
      </Dialog>
    </Modal>
  </ModalOverlay>
)

const OpenWindow = ({ children, isWide = false, keepsDraft = false, onClose, title }: Omit<WindowProps, "isOpen">) => {
  const typedInto = useRef(new Set<TextBox>())
  const [isAsking, setAsking] = useState(false)
  const close = () => {
    const hasText = [...typedInto.current].some(({ isConnected, value }) => isConnected && value !== "")
    if (hasText && !keepsDraft) setAsking(true)
    else onClose()
  }
  const keep = () => {
    flushSync(() => setAsking(false))
    // A click beside the window took the focus from what is typed into.
    const last = [...typedInto.current].findLast(({ isConnected }) => isConnected)
    last?.focus()
  }
  return (
    <Overlay role="dialog" title={title} width={isWide ? "max-w-3xl" : "max-w-lg"} onClose={close}>
      <div
        className="contents"
        onInput={({ target }: InputEvent) => {
          if (isKept(target)) typedInto.current.add(target)
        }}
      >
        {children}
      </div>
      {isAsking ? (
        <Overlay role="alertdialog" title="Discard what you typed?" width="max-w-sm" onClose={keep}>
          <p>It is not saved.</p>
          <div className="flex justify-end gap-2">
            <Button autoFocus onPress={keep}>
              Keep it
            </Button>
            <Button look="danger" onPress={onClose}>
              Discard
            </Button>
          </div>
        </Overlay>
      ) : null}
    </Overlay>
  )
}

/** A dialog before the page. Escape and a click beside it close it; if something was typed that would be lost, they ask first. */
export const Window = ({ isOpen, ...props }: WindowProps) => (isOpen ? <OpenWindow {...props} /> : null)
