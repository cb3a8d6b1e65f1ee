import { Button as AriaButton, Label, ListBox, ListBoxItem, Popover, Select, SelectValue } from "react-aria-components"
import { classes } from "./classes.ts"
import { inputLook } from "./Field.tsx"

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly options: ReadonlyArray<{ readonly value: Value; readonly text: string }>
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly isLabelHidden?: boolean
  readonly isDisabled?: boolean
}

/** A list of which one is chosen. */
export const Choice = <Value extends string>({
  isDisabled = false,
  isLabelHidden = false,
  label,
  onChange,
  options,
  value
}: ChoiceProps<Value>) => (
  <Select
    className="flex flex-col gap-1"
    isDisabled={isDisabled}
    value={value}
    onChange={(key) => {
      const chosen = options.find((option) => option.value === key)
      if (chosen !== undefined) onChange(chosen.value)
    }}
    {...(isLabelHidden && { "aria-label": label })}
  >
    {isLabelHidden ? null : <Label className="text-sm font-medium">{label}</Label>}
    <AriaButton className={classes(inputLook, "flex items-center justify-between gap-2 text-left")}>
      <SelectValue className="truncate" />
      <span aria-hidden="true" className="text-muted">
        ▾
      </span>
    </AriaButton>
    <Popover className="min-w-(--trigger-width) rounded-md border border-line bg-surface shadow-lg">
      <ListBox className="max-h-80 overflow-auto p-1 outline-none">
        {options.map((option) => (
          <ListBoxItem
            key={option.value}
            id={option.value}
            textValue={option.text}
            className="cursor-default rounded px-2 py-1.5 -outline-offset-2 data-[focused]:bg-raised data-[selected]:font-semibold"
          >
            {option.text}
          </ListBoxItem>
        ))}
      </ListBox>
    </Popover>
  </Select>
)
