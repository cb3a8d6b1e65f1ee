import { useEffect, useSyncExternalStore } from "react"
import { followClock, isClockAhead, organizationNow } from "../client/clock.ts"
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

const second = 1000
const minute = 60 * second
const time = new Intl.DateTimeFormat("en", {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short"
})

const followMinutes = (onChange: () => void) => {
  const timer = setInterval(onChange, second)
  const unfollow = followClock(onChange)
  return () => {
    clearInterval(timer)
    unfollow()
  }
}

const minuteAhead = () => (isClockAhead() ? Math.floor(organizationNow() / minute) * minute : undefined)

// The time of the sandbox, as soon as it was moved.
const SandboxTime = () => {
  const at = useSyncExternalStore(followMinutes, minuteAhead)
  return at === undefined ? null : (
    <>
      {" "}
      Its clock shows <time dateTime={new Date(at).toISOString()}>{time.format(at)}</time>.
    </>
  )
}

/** Says on each screen that it shows the sandbox. */
export const TestModeBanner = () =>
  isInTestMode() ? (
    <section
      aria-label="Mode"
      className="border-b-2 border-warn bg-warn-soft px-4 py-2 text-center font-medium text-warn"
    >
      Test mode: this is your sandbox.
      <span className="max-sm:hidden"> Nothing here reaches a patient, a pharmacy or a bank.</span>
      <SandboxTime />
      {/* It is seen however far the page is scrolled. */}
      <span aria-hidden="true" className="pointer-events-none fixed inset-0 z-50 border-2 border-warn" />
    </section>
  ) : null
