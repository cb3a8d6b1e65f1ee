import type { RefAttributes } from "react"
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components"
import { classes } from "./classes.ts"

const looks = {
  primary: "bg-accent text-accent-ink hover:brightness-110",
  plain: "border border-field bg-surface text-ink hover:bg-raised",
  quiet: "text-ink hover:bg-raised",
  danger: "border border-bad bg-surface text-bad hover:bg-bad-soft"
} as const

interface ButtonProps extends Omit<AriaButtonProps, "className" | "style">, RefAttributes<HTMLButtonElement> {
  readonly look?: keyof typeof looks
  readonly isSmall?: boolean
}

/** A button. While `isPending` it keeps its focus, and does nothing. */
export const Button = ({ isSmall = false, look = "plain", ...props }: ButtonProps) => (
  <AriaButton
    {...props}
    className={classes(
      "inline-flex cursor-default items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap",
      "disabled:opacity-50 data-[pending]:opacity-60",
      isSmall ? "min-h-7 px-2 text-sm" : "min-h-9 px-3",
      looks[look]
    )}
  />
)
