import type { ReactNode } from "react"
import { Empty } from "../ui/Empty.tsx"

/** Tells an operator that a screen shows one organization at a time. */
export const ChooseOrganization = ({ children }: { readonly children: ReactNode }) => (
  <Empty title="Choose an organization">{children}</Empty>
)
