import { type Mistakes, mistakesInWords } from "../client/mistakes.ts"

/** Mistakes by the names of the fields that show them, and the texts of those that no field shows. */
export interface PlacedMistakes {
  readonly fields: Mistakes
  readonly others: ReadonlyArray<string>
}

/** Returns the mistakes without those of a field. */
export const without = (mistakes: PlacedMistakes, field: string): PlacedMistakes => {
  const { [field]: _, ...fields } = mistakes.fields
  return { ...mistakes, fields }
}

const parentOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf(".")))

// An element of a list is typed into the field of the list.
const fieldOf = (name: string, form: HTMLFormElement): string =>
  name === "" || form.elements.namedItem(name) !== null ? name : fieldOf(parentOf(name), form)

/** Places mistakes at the fields of a form. */
export const atFields = (mistakes: Mistakes, form: HTMLFormElement): PlacedMistakes => {
  const placed = Object.entries(mistakes).map(([name, text]) => ({ name, text, field: fieldOf(name, form) }))
  return {
    fields: Object.fromEntries(placed.filter(({ field }) => field !== "").map(({ field, text }) => [field, text])),
    others: placed.filter(({ field }) => field === "").map(({ name, text }) => mistakesInWords({ [name]: text }))
  }
}
