import type { MinuteOfTraffic } from "@care/domain/gateway"
import { type MinuteSlot, shownMinutes } from "./minuteSlots.ts"

interface MinuteChartProps {
  readonly title: string
  /** What the chart shows, in words. */
  readonly summary: string
  /** The value at the top, in words. */
  readonly top: string
  readonly slots: ReadonlyArray<MinuteSlot>
  /** Returns the part of the chart's height that a value takes: at most 1. */
  readonly heightOf: (value: number) => number
  /** The bars of a minute, of which each stands before the one that is listed before it. */
  readonly bars: ReadonlyArray<{ readonly of: (minute: MinuteOfTraffic) => number; readonly colour: string }>
}

// The size of a chart: a minute has 6 units.
const chartHeight = 60
const slotWidth = 6

/** A chart of the last hour. */
export const MinuteChart = ({ bars, heightOf, slots, summary, title, top }: MinuteChartProps) => (
  <figure className="flex min-w-0 flex-col gap-1">
    <figcaption className="flex justify-between gap-3 text-sm">
      <span className="font-medium">{title}</span>
      <span className="whitespace-nowrap text-muted tabular-nums">{top}</span>
    </figcaption>
    <svg
      role="img"
      aria-label={summary}
      viewBox={`0 0 ${shownMinutes * slotWidth} ${chartHeight}`}
      preserveAspectRatio="none"
      className="h-20 w-full rounded border-b border-line bg-raised"
    >
      {bars.flatMap(({ colour, of }) =>
        slots.map((minute) => {
          const height = heightOf(of(minute)) * chartHeight
          return (
            <rect
              key={`${colour} ${minute.slot}`}
              x={minute.slot * slotWidth}
              y={chartHeight - height}
              width={slotWidth - 1}
              height={height}
              className={colour}
            />
          )
        })
      )}
    </svg>
    <div aria-hidden="true" className="flex justify-between text-xs text-muted">
      <span>1 hour ago</span>
      <span>now</span>
    </div>
  </figure>
)
