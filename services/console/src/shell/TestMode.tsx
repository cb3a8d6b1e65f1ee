import { useEffect } from "react"
import { changeMode, isInTestMode } from "../client/mode.ts"
import { useSession } from "../session/useSession.ts"
import { Tick } from "../ui/Tick.tsx"

const roles: ReadonlyArray<string> = ["DEVELOPER", "ADMIN", "PROVIDER", "SUPPORT"]

/** The switch between the organization and its sandbox, if it has one. */
export const TestModeSwitch = () => {
  const { sandboxId, user } = useSession()
  const isPossible = sandboxId !== null && roles.includes(user.role)
  const isOn = isInTestMode()
  // Another person signed in, or the tab is older than the sandbox.
  useEffect(() => {
    if (isOn && !isPossible) changeMode(false)
  }, [isOn, isPossible])
  return isPossible ? (
    <Tick isSelected={isOn} onChange={changeMode}>
      Test mode
    </Tick>
  ) : null
}

/** Says on each screen that it shows the sandbox. */
export const TestModeBanner = () =>
  isInTestMode() ? (
    <section
      aria-label="Mode"
      className="border-b-2 border-warn bg-warn-soft px-4 py-2 text-center font-medium text-warn"
    >
      Test mode: this is your sandbox. Nothing here reaches a patient, a pharmacy or a bank.
    </section>
  ) : null
