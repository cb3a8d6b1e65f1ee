import type { ReactNode } from "react"

/** What can be done in a part of an organization's page, and which of its things are shown. */
export const PartActions = ({ children }: { readonly children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-3">{children}</div>
)
