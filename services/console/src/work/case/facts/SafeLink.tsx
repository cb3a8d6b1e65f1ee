import type { ReactNode } from "react"
import { linkLook } from "../../../ui/linkLook.ts"

interface SafeLinkProps {
  /** A URL that a partner or a pharmacy gave. Only those with https are links. */
  readonly href: string
  readonly children: ReactNode
}

/** A link to another site, in a tab of its own, which learns nothing of this page. */
export const SafeLink = ({ children, href }: SafeLinkProps) =>
  URL.canParse(href) && new URL(href).protocol === "https:" ? (
    <a href={href} target="_blank" rel="noopener noreferrer" className={linkLook}>
      {children}
      <span className="sr-only"> (opens another site in a new tab)</span>
    </a>
  ) : null
