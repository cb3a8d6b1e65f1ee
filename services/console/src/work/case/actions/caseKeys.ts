import type { ScreenKey } from "../../../ui/keys.ts"
import type { CaseActionName } from "./allowedActions.ts"

const keys: ReadonlyArray<{ readonly key: string; readonly does: string; readonly action: CaseActionName }> = [
  { key: "c", does: "Claim the case", action: "claim" },
  { key: "g", does: "Give the case to a provider", action: "assign" },
  { key: "s", does: "Start work", action: "start" },
  { key: "d", does: "Decide", action: "decide" },
  { key: "a", does: "Add a comment or note", action: "comment" },
  { key: "e", does: "Escalate the case", action: "escalate" }
]

// The form handles them.
const formKeys: ReadonlyArray<ScreenKey> = [
  { keys: ["Ctrl+Enter"], does: "Send the form" },
  { keys: ["Escape"], does: "Close the form; what you typed stays" }
]

/** Returns the keys of a case for the actions that are possible now. */
export const caseKeysOf = (
  allowed: ReadonlySet<CaseActionName>,
  run: (action: CaseActionName) => void
): ReadonlyArray<ScreenKey> => [
  ...keys
    .filter(({ action }) => allowed.has(action))
    .map(({ action, does, key }): ScreenKey => ({ keys: [key], does, run: () => run(action) })),
  ...(allowed.has("comment") || allowed.has("decide") ? formKeys : [])
]
