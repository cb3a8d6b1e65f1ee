import type { ServiceHealth } from "@care/domain/gateway"
import { chartHeight, MinuteChart, slotWidth } from "./MinuteChart.tsx"
import { minuteSlots } from "./minuteSlots.ts"

/** The requests of each minute of the last hour, with those that failed in another colour. */
export const RequestsChart = ({ health }: { readonly health: ServiceHealth }) => {
  const slots = minuteSlots(health.lastHour, health.checkedAt)
  const most = Math.max(1, ...slots.map(({ requests }) => requests))
  const all = slots.reduce((sum, { requests }) => sum + requests, 0)
  const failed = slots.reduce((sum, minute) => sum + minute.failed, 0)
  const height = (count: number) => (count / most) * chartHeight
  return (
    <MinuteChart
      title="Requests per minute"
      top={all === 0 ? "None" : `at most ${most.toLocaleString("en")}`}
      summary={`Requests per minute in the last hour: ${all} in all, at most ${all === 0 ? 0 : most} in a minute, ${failed} failed.`}
    >
      {slots.map(({ failed, minute, requests, slot }) => (
        <g key={minute.getTime()}>
          <rect
            x={slot * slotWidth}
            y={chartHeight - height(requests)}
            width={slotWidth - 1}
            height={height(requests)}
            className="fill-accent"
          />
          <rect
            x={slot * slotWidth}
            y={chartHeight - height(failed)}
            width={slotWidth - 1}
            height={height(failed)}
            className="fill-bad"
          />
        </g>
      ))}
    </MinuteChart>
  )
}
