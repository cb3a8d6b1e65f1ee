import { useState } from "react"
import { Button } from "../../ui/Button.tsx"

interface IssuedKeyProps {
  readonly secret: string
  readonly onDone: () => void
}

/** A new key, which is shown this once. */
export const IssuedKey = ({ onDone, secret }: IssuedKeyProps) => {
  const [copied, setCopied] = useState("")
  return (
    <>
      <p>Copy the key now, and keep it where only your servers read it. It is not shown again.</p>
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
              () => setCopied("The browser did not allow it: select the key, and copy it.")
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
