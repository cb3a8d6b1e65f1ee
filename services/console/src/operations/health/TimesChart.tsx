import type { ServiceHealth } from "@care/domain/gateway"
import { MinuteChart } from "./MinuteChart.tsx"
import { minuteSlots } from "./minuteSlots.ts"

/** The median and the slowest time of each minute of the last hour. The scale is logarithmic, so that both can be seen. */
export const TimesChart = ({ health }: { readonly health: ServiceHealth }) => {
  const slots = minuteSlots(health.lastHour, health.checkedAt)
  const slowest = Math.max(1, ...slots.map(({ slowestMs }) => slowestMs))
  const highestMedian = Math.max(0, ...slots.map(({ medianMs }) => medianMs))
  return (
    <MinuteChart
      title="Median and slowest"
      top={slots.length === 0 ? "None" : `${slowest.toLocaleString("en")} ms`}
      summary={
        slots.length === 0
          ? "Times in the last hour: no requests."
          : `Times in the last hour: the highest median of a minute is ${highestMedian} ms, the slowest request took ${slowest} ms.`
      }
      slots={slots}
      heightOf={(millis) => Math.log1p(millis) / Math.log1p(slowest)}
      bars={[
        { of: ({ slowestMs }) => slowestMs, colour: "fill-field/50" },
        { of: ({ medianMs }) => medianMs, colour: "fill-accent" }
      ]}
    />
  )
}
