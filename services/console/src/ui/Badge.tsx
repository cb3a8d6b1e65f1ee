import { classes } from "./classes.ts"

const looks = {
  plain: "bg-raised text-ink",
  accent: "bg-accent-soft text-ink",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad"
} as const

export type BadgeLook = keyof typeof looks

/** A word or two about a thing's state. */
export const Badge = ({ look = "plain", text }: { readonly look?: BadgeLook; readonly text: string }) => (
  <span className={classes("inline-block rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap", looks[look])}>
    {text}
  </span>
)
