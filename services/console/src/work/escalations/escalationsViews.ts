/** Whose escalations are shown. */
export type EscalationsView = "all" | "mine" | "nobodys"

export const escalationsViews: ReadonlyArray<{ readonly view: EscalationsView; readonly title: string }> = [
  { view: "all", title: "All" },
  { view: "mine", title: "Mine" },
  { view: "nobodys", title: "Nobody’s" }
]

/** Reads what the URL says; the rest is left out. */
export const escalationsSearchOf = ({
  show
}: Readonly<Record<string, unknown>>): { readonly show?: EscalationsView } =>
  show === "mine" || show === "nobodys" ? { show } : {}
