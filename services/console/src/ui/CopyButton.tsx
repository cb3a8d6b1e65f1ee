import { announce } from "./announce.ts"
import { Button } from "./Button.tsx"

interface CopyButtonProps {
  readonly text: string
  /** What is copied, for screen readers. */
  readonly thing: string
}

/** The button that copies a text. */
export const CopyButton = ({ text, thing }: CopyButtonProps) => (
  <Button
    isSmall
    aria-label={`Copy ${thing}`}
    onPress={() =>
      void navigator.clipboard.writeText(text).then(
        () => announce("Copied"),
        () => announce("The browser did not allow it: select the text, and copy it")
      )
    }
  >
    Copy
  </Button>
)
