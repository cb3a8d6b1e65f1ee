import { getRouteApi, Link } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { Page } from "../../ui/Page.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { Views, viewLook } from "../../ui/Views.tsx"
import { AuditRecords } from "./AuditRecords.tsx"
import { auditParts } from "./AuditSearch.ts"
import { Chains } from "./Chains.tsx"

// Its contract loads all those of cases.
const BrokenGlass = lazy(() => import("./BrokenGlass.tsx").then(({ BrokenGlass: part }) => ({ default: part })))

const route = getRouteApi("/shell/audit")

const titles = { records: "Records", glass: "Broken glass", chains: "Verify" } as const

/** Who read or changed what, who broke the glass, and whether the records are genuine. */
export const Audit = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { part = "records" } = search
  return (
    <Page title="Audit">
      <Views label="Parts of the audit">
        {auditParts.map((each) => (
          <Link
            key={each}
            to="/audit"
            search={{ part: each }}
            {...(each === part && { "aria-current": "page" as const })}
            className={viewLook}
          >
            {titles[each]}
          </Link>
        ))}
      </Views>
      {part === "records" ? (
        <AuditRecords search={search} onChange={(next) => void navigate({ search: next, replace: true })} />
      ) : null}
      {part === "glass" ? (
        <Suspense fallback={<Skeleton lines={6} />}>
          <BrokenGlass />
        </Suspense>
      ) : null}
      {part === "chains" ? <Chains /> : null}
    </Page>
  )
}
