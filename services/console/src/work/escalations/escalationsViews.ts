import { Schema } from "effect"

/** Whose escalations are shown. */
const EscalationsView = Schema.Literals(["all", "mine", "nobodys"])
export type EscalationsView = typeof EscalationsView.Type

export const escalationsViews: ReadonlyArray<{ readonly view: EscalationsView; readonly title: string }> = [
  { view: "all", title: "All" },
  { view: "mine", title: "Mine" },
  { view: "nobodys", title: "Nobody’s" }
]

/** The view, as the address of the screen has it. */
export const EscalationsSearch = Schema.Struct({ show: Schema.optional(EscalationsView) })
