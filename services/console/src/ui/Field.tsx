import { FieldError, Input, Label, Text, TextArea, TextField, type TextFieldProps } from "react-aria-components"

interface FieldProps extends Omit<TextFieldProps, "className" | "style" | "children"> {
  readonly label: string
  readonly hint?: string
  readonly rows?: number
  readonly placeholder?: string
  readonly isLabelHidden?: boolean
}

/** The look of everything that a person types into. */
export const inputLook =
  "w-full rounded-md border border-field bg-surface px-3 py-1.5 text-ink placeholder:text-muted data-[invalid]:border-bad disabled:opacity-60"

/** A field for a text with its label; with `rows` one of several lines. */
export const Field = ({ hint, isLabelHidden = false, label, placeholder, rows, ...props }: FieldProps) => (
  <TextField {...props} className="flex flex-col gap-1" {...(isLabelHidden && { "aria-label": label })}>
    {isLabelHidden ? null : <Label className="text-sm font-medium">{label}</Label>}
    {rows === undefined ? (
      <Input className={inputLook} {...(placeholder !== undefined && { placeholder })} />
    ) : (
      <TextArea className={inputLook} rows={rows} {...(placeholder !== undefined && { placeholder })} />
    )}
    {hint === undefined ? null : (
      <Text slot="description" className="text-sm text-muted">
        {hint}
      </Text>
    )}
    <FieldError className="text-sm text-bad" />
  </TextField>
)
