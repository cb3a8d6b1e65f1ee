/** A decoded form: texts and groups of them. A list is a group with the names 0, 1, 2, ... */
export interface ParsedForm {
  readonly [name: string]: string | ParsedForm
}

type Group = { [name: string]: string | Group }

const pathOf = (name: string): ReadonlyArray<string> => {
  const [first = "", ...rest] = name.split("[")
  return [first, ...rest.map((part) => part.replace(/\]$/, ""))]
}

/** Decodes a form with names such as `a[b][0][c]`, and `a[]` for the next element of a list. */
export const readForm = (text: string): ParsedForm => {
  const form: Group = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const path = pathOf(name)
    let group = form
    path.forEach((segment, at) => {
      const part = segment === "" ? String(Object.keys(group).length) : segment
      if (at === path.length - 1) {
        group[part] = value
        return
      }
      const inner = group[part]
      const next: Group = typeof inner === "object" ? inner : Object.create(null)
      group[part] = next
      group = next
    })
  }
  return form
}

const hidden = new Set(["client_secret", "number", "cvc"])

/** Returns parameters with their secrets replaced. */
export const withoutSecrets = (form: ParsedForm): ParsedForm =>
  Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      typeof value === "object" ? withoutSecrets(value) : hidden.has(name) ? "***" : value
    ])
  )

/** A request that came, without its secrets. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly idempotencyKey: string | null
  readonly params: ParsedForm
}
