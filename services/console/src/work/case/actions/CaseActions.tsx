import { Button } from "../../../ui/Button.tsx"
import type { CaseActionName } from "./allowedActions.ts"

const titles: ReadonlyArray<readonly [CaseActionName, string]> = [
  ["comment", "Comment"],
  ["escalate", "Escalate"],
  ["assign", "Assign"],
  ["claim", "Claim"],
  ["start", "Start work"],
  ["decide", "Decide"]
]

const primaries: ReadonlyArray<CaseActionName> = ["claim", "start", "decide"]

interface CaseActionsProps {
  readonly allowed: ReadonlySet<CaseActionName>
  readonly pending: CaseActionName | undefined
  readonly onAction: (action: CaseActionName) => void
}

/** What the person may do with the case now. The next step of the work stands out. */
export const CaseActions = ({ allowed, onAction, pending }: CaseActionsProps) => {
  const next = primaries.find((action) => allowed.has(action))
  return titles
    .filter(([action]) => allowed.has(action))
    .map(([action, title]) => (
      <Button
        key={action}
        id={`case-${action}`}
        look={action === next ? "primary" : "plain"}
        isPending={action === pending}
        onPress={() => onAction(action)}
      >
        {title}
      </Button>
    ))
}
