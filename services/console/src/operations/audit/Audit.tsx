import { getRouteApi, Link } from "@tanstack/react-router"
import { Page } from "../../ui/Page.tsx"
import { AuditRecords } from "./AuditRecords.tsx"
import { auditParts } from "./AuditSearch.ts"
import { BrokenGlass } from "./BrokenGlass.tsx"
import { Chains } from "./Chains.tsx"

const route = getRouteApi("/shell/audit")

const titles = { records: "Records", glass: "Broken glass", chains: "Verify" } as const

/** Who read or changed what, who broke the glass, and whether the records are genuine. */
export const Audit = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { part = "records" } = search
  return (
    <Page title="Audit">
      <nav aria-label="Parts of the audit" className="flex flex-wrap gap-1 border-b border-line">
        {auditParts.map((each) => (
          <Link
            key={each}
            to="/audit"
            search={each === "records" ? {} : { part: each }}
            {...(each === part && { "aria-current": "page" as const })}
            className="-mb-px border-b-2 border-transparent px-3 py-2 text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
          >
            {titles[each]}
          </Link>
        ))}
      </nav>
      {part === "records" ? (
        <AuditRecords search={search} onChange={(next) => void navigate({ search: next, replace: true })} />
      ) : null}
      {part === "glass" ? <BrokenGlass /> : null}
      {part === "chains" ? <Chains /> : null}
    </Page>
  )
}
