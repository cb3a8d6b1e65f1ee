import type { ReactNode } from "react"
import { Checkbox, type CheckboxProps } from "react-aria-components"

interface TickProps extends Omit<CheckboxProps, "className" | "style" | "children"> {
  readonly children?: ReactNode
}

/** A check box with its text. */
export const Tick = ({ children, ...props }: TickProps) => (
  <Checkbox {...props} className="group flex w-fit items-center gap-2">
    <span
      aria-hidden="true"
      className="flex size-4.5 shrink-0 items-center justify-center rounded border border-field text-xs leading-none text-accent-ink group-data-[selected]:border-accent group-data-[selected]:bg-accent group-data-[focus-visible]:outline-2"
    >
      <span className="opacity-0 group-data-[selected]:opacity-100">✓</span>
    </span>
    {children}
  </Checkbox>
)
