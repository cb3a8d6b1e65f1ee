import { maxCounted } from "@care/domain/admin"
import { Link } from "@tanstack/react-router"
import type { BadgeLook } from "../../ui/Badge.tsx"
import { classes } from "../../ui/classes.ts"
import type { QueueSearch } from "../queue/queueViews.ts"

interface CountTileProps {
  readonly title: string
  /** Null when it is not known now. */
  readonly count: number | null
  readonly look: BadgeLook
  readonly to: string
  readonly search: QueueSearch | undefined
}

const numbers = new Intl.NumberFormat("en")

const looks: Readonly<Record<BadgeLook, string>> = {
  plain: "text-ink",
  accent: "text-accent",
  good: "text-good",
  warn: "text-warn",
  bad: "text-bad"
}

const textOf = (count: number | null): string => {
  if (count === null) return "Not known now"
  return count < maxCounted ? numbers.format(count) : `${numbers.format(maxCounted)} or more`
}

const box = "flex h-full flex-col gap-1 rounded-lg border border-line bg-surface p-4 hover:bg-raised"

/** A count with the link to what it counts. */
export const CountTile = ({ count, look, search, title, to }: CountTileProps) => (
  <Link to={to} search={search ?? {}} className={box}>
    <span className="text-muted">{title}</span>
    <span
      className={classes(
        count === null ? "text-base" : "text-2xl font-semibold tabular-nums",
        count === 0 || count === null ? "text-muted" : looks[look]
      )}
    >
      {textOf(count)}
    </span>
  </Link>
)
