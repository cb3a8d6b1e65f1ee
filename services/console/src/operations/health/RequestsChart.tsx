import type { ServiceHealth } from "@care/domain/gateway"
import { MinuteChart } from "./MinuteChart.tsx"
import { minuteSlots } from "./minuteSlots.ts"

/** The requests of each minute of the last hour, with those that failed in another colour. */
export const RequestsChart = ({ health }: { readonly health: ServiceHealth }) => {
  const slots = minuteSlots(health.lastHour, health.checkedAt)
  const most = Math.max(1, ...slots.map(({ requests }) => requests))
  const all = slots.reduce((sum, { requests }) => sum + requests, 0)
  const failed = slots.reduce((sum, minute) => sum + minute.failed, 0)
  return (
    <MinuteChart
      title="Requests per minute"
      top={all === 0 ? "None" : `at most ${most.toLocaleString("en")}`}
      summary={`Requests per minute in the last hour: ${all} in all, at most ${all === 0 ? 0 : most} in a minute, ${failed} failed.`}
      slots={slots}
      heightOf={(count) => count / most}
      bars={[
        { of: ({ requests }) => requests, colour: "fill-accent" },
        { of: (minute) => minute.failed, colour: "fill-bad" }
      ]}
    />
  )
}
