import { Label, Radio, RadioGroup } from "react-aria-components"

interface RadiosProps<Value extends string> {
  readonly label: string
  readonly options: ReadonlyArray<{ readonly value: Value; readonly text: string }>
  readonly value: Value | null
  readonly onChange: (value: Value) => void
  readonly autoFocus?: boolean
}

/** A few choices that are all in sight, of which one is chosen. */
export const Radios = <Value extends string>({
  autoFocus = false,
  label,
  onChange,
  options,
  value
}: RadiosProps<Value>) => (
  <RadioGroup
    className="flex flex-col gap-1"
    value={value}
    onChange={(next) => {
      const chosen = options.find((option) => option.value === next)
      if (chosen !== undefined) onChange(chosen.value)
    }}
  >
    <Label className="text-sm font-medium">{label}</Label>
    <div className="flex flex-wrap gap-2">
      {options.map((option, index) => (
        <Radio
          key={option.value}
          value={option.value}
          autoFocus={autoFocus && (value === null ? index === 0 : option.value === value)}
          className="group flex items-center gap-2 rounded-md border border-field px-3 py-1.5 data-[focus-visible]:outline-2 data-[selected]:border-accent data-[selected]:bg-accent-soft"
        >
          <span
            aria-hidden="true"
            className="size-3.5 shrink-0 rounded-full border border-field group-data-[selected]:border-4 group-data-[selected]:border-accent"
          />
          {option.text}
        </Radio>
      ))}
    </div>
  </RadioGroup>
)
