import { useState } from "react"
import { announce } from "../ui/announce.ts"
import { Button } from "../ui/Button.tsx"
import { Tick } from "../ui/Tick.tsx"

interface RecoveryCodesProps {
  readonly codes: ReadonlyArray<string>
  readonly onKept: () => void
}

const save = (text: string) => {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }))
  const link = document.createElement("a")
  link.href = url
  link.download = "care-recovery-codes.txt"
  link.click()
  URL.revokeObjectURL(url)
}

/** Recovery codes, which are shown only once: the person goes on when they have kept them. */
export const RecoveryCodes = ({ codes, onKept }: RecoveryCodesProps) => {
  const [isKept, setKept] = useState(false)
  const text = `Recovery codes of the care console. Each works once.\n\n${codes.join("\n")}\n`
  return (
    <div className="flex flex-col gap-4">
      <p>
        Without your passkey you sign in with one of these codes. Each works once. They are shown only now, so keep them
        where you keep passwords, and not on this device.
      </p>
      <ul aria-label="Recovery codes" className="grid grid-cols-2 gap-2 rounded-md bg-raised p-4 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button
          autoFocus
          onPress={() =>
            void navigator.clipboard.writeText(text).then(
              () => announce("Codes copied"),
              () => announce("This browser did not copy them. Download them.")
            )
          }
        >
          Copy
        </Button>
        <Button onPress={() => save(text)}>Download</Button>
      </div>
      <Tick isSelected={isKept} onChange={setKept}>
        I have kept them
      </Tick>
      <Button look="primary" isDisabled={!isKept} onPress={onKept}>
        Continue
      </Button>
    </div>
  )
}
