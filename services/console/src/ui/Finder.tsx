import type { ReactNode } from "react"
import { Autocomplete, Input, Label, ListBox, ListBoxItem, SearchField, Text } from "react-aria-components"
import { inputLook } from "./Field.tsx"

interface FinderProps<Entry> {
  readonly label: string
  readonly hint?: string
  readonly text: string
  readonly onText: (text: string) => void
  readonly entries: ReadonlyArray<Entry>
  readonly keyOf: (entry: Entry) => string
  /** The entry as a screen reader reads it. */
  readonly textOf: (entry: Entry) => string
  readonly children: (entry: Entry) => ReactNode
  readonly onChoose: (entry: Entry) => void
}

/** A field and the list of what is found. The focus stays in the field: arrow keys move through the list, and Enter chooses. */
export const Finder = <Entry,>({
  children,
  entries,
  hint,
  keyOf,
  label,
  onChoose,
  onText,
  text,
  textOf
}: FinderProps<Entry>) => (
  <Autocomplete inputValue={text} onInputChange={onText}>
    <SearchField autoFocus className="flex flex-col gap-1">
      <Label className="text-sm font-medium">{label}</Label>
      <Input className={`${inputLook} [&::-webkit-search-cancel-button]:hidden`} />
      {hint === undefined ? null : (
        <Text slot="description" className="text-sm text-muted">
          {hint}
        </Text>
      )}
    </SearchField>
    <ListBox
      aria-label="Found"
      className="max-h-[45dvh] overflow-auto rounded-md border border-line outline-none data-[empty]:hidden"
      onAction={(key) => {
        const chosen = entries.find((entry) => keyOf(entry) === key)
        if (chosen !== undefined) onChoose(chosen)
      }}
    >
      {entries.map((entry) => (
        <ListBoxItem
          key={keyOf(entry)}
          id={keyOf(entry)}
          textValue={textOf(entry)}
          className="cursor-default border-b border-line px-3 py-2 -outline-offset-2 last:border-b-0 hover:bg-raised data-[focused]:bg-accent-soft"
        >
          {children(entry)}
        </ListBoxItem>
      ))}
    </ListBox>
  </Autocomplete>
)
