import { type ReactNode, useState } from "react"
import { Button } from "./Button.tsx"

interface ShownOnceProps {
  /** What the secret is for, and that it is not shown again. */
  readonly children: ReactNode
  readonly secret: string
  readonly onDone: () => void
}

/** A secret that is shown this once, with a button that copies it. */
export const ShownOnce = ({ children, onDone, secret }: ShownOnceProps) => {
  const [copied, setCopied] = useState("")
  return (
    <>
      <p>{children}</p>
      <code className="rounded-md bg-raised p-3 break-all select-all">{secret}</code>
      <p role="status" className="min-h-5 text-sm text-muted">
        {copied}
      </p>
      <div className="flex justify-end gap-2">
        <Button
          autoFocus
          onPress={() =>
            void navigator.clipboard.writeText(secret).then(
              () => setCopied("Copied."),
              () => setCopied("The browser did not allow it: select the text, and copy it.")
            )
          }
        >
          Copy
        </Button>
        <Button look="primary" onPress={onDone}>
          I have it
        </Button>
      </div>
    </>
  )
}
