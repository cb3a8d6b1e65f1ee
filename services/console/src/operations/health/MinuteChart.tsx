import type { ReactNode } from "react"
import { shownMinutes } from "./minuteSlots.ts"

interface MinuteChartProps {
  readonly title: string
  /** What the chart shows, in words. */
  readonly summary: string
  /** The value at the top. */
  readonly top: string
  readonly children: ReactNode
}

/** The size of a chart: a minute has 6 units. */
export const chartHeight = 60
export const slotWidth = 6

/** The frame of a chart of the last hour. */
export const MinuteChart = ({ children, summary, title, top }: MinuteChartProps) => (
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
      {children}
    </svg>
    <div aria-hidden="true" className="flex justify-between text-xs text-muted">
      <span>1 hour ago</span>
      <span>now</span>
    </div>
  </figure>
)
