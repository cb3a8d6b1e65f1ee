import type { ServiceHealth } from "@care/domain/gateway"
import { chartHeight, MinuteChart, slotWidth } from "./MinuteChart.tsx"
import { minuteSlots } from "./minuteSlots.ts"

/** The median and the slowest time of each minute of the last hour. The scale is logarithmic, so that both can be seen. */
export const TimesChart = ({ health }: { readonly health: ServiceHealth }) => {
  const slots = minuteSlots(health.lastHour, health.checkedAt)
  const slowest = Math.max(1, ...slots.map(({ slowestMs }) => slowestMs))
  const highestMedian = Math.max(0, ...slots.map(({ medianMs }) => medianMs))
  const height = (millis: number) => (Math.log1p(millis) / Math.log1p(slowest)) * chartHeight
  return (
    <MinuteChart
      title="Median and slowest"
      top={slots.length === 0 ? "None" : `${slowest.toLocaleString("en")} ms`}
      summary={
        slots.length === 0
          ? "Times in the last hour: no requests."
          : `Times in the last hour: the highest median of a minute is ${highestMedian} ms, the slowest request took ${slowest} ms.`
      }
    >
      {slots.map(({ medianMs, minute, slot, slowestMs }) => (
        <g key={minute.getTime()}>
          <rect
            x={slot * slotWidth}
            y={chartHeight - height(slowestMs)}
            width={slotWidth - 1}
            height={height(slowestMs)}
            className="fill-field/50"
          />
          <rect
            x={slot * slotWidth}
            y={chartHeight - height(medianMs)}
            width={slotWidth - 1}
            height={height(medianMs)}
            className="fill-accent"
          />
        </g>
      ))}
    </MinuteChart>
  )
}
