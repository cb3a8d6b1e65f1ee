import type { Mistakes } from "./readEntered.ts"

const parentOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf(".")))

// An element of a list is typed into the field of the list.
const fieldOf = (name: string, form: HTMLFormElement): string =>
  name === "" || form.elements.namedItem(name) !== null ? name : fieldOf(parentOf(name), form)

/** Splits mistakes into those of the fields of a form, and the texts of those that no field shows. */
export const atFields = (
  mistakes: Mistakes,
  form: HTMLFormElement
): { readonly fields: Mistakes; readonly others: ReadonlyArray<string> } => {
  const placed = Object.entries(mistakes).map(([name, text]) => ({ name, text, field: fieldOf(name, form) }))
  return {
    fields: Object.fromEntries(placed.filter(({ field }) => field !== "").map(({ field, text }) => [field, text])),
    others: placed
      .filter(({ field }) => field === "")
      .map(({ name, text }) => (name === "" ? text : `${name}: ${text}`))
  }
}
