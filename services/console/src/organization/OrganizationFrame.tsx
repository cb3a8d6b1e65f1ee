import type { OrganizationId } from "@care/domain/ids"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { isUnseen } from "../client/RequestFailed.ts"
import { useSession } from "../session/useSession.ts"
import { Badge } from "../ui/Badge.tsx"
import { Failure } from "../ui/Failure.tsx"
import { linkLook } from "../ui/linkLook.ts"
import { Page } from "../ui/Page.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { Views, viewLook } from "../ui/Views.tsx"
import { organizationQuery } from "./organizationQueries.ts"
import { parts } from "./parts.tsx"

interface OrganizationFrameProps {
  readonly organizationId: OrganizationId
  /** The title of the part that is shown. */
  readonly part: string
  readonly children: ReactNode
}

/** The frame of the screens of an organization: its name, and the links to its parts. */
export const OrganizationFrame = ({ children, organizationId, part }: OrganizationFrameProps) => {
  const { role } = useSession().user
  const { data, error, refetch } = useQuery(organizationQuery(organizationId))
  if (error !== null && isUnseen(error)) {
    return (
      <Page title="Organization">
        <Failure error={error} />
        <Link to="/organizations" className={linkLook}>
          Organizations
        </Link>
      </Page>
    )
  }
  const isAnswered = data !== undefined || error !== null
  return (
    <Page
      title={data?.name ?? "Organization"}
      actions={data?.isDisabled === true ? <Badge look="bad" text="Disabled" /> : null}
    >
      <Views label="Parts of the organization">
        {parts
          .filter(({ isFor }) => isFor(role))
          .map(({ part: name, title }) => (
            <Link
              key={name}
              to="/organizations/$organizationId/$part"
              params={{ organizationId, part: name }}
              className={viewLook}
            >
              {title}
            </Link>
          ))}
      </Views>
      <h2 className="sr-only">{part}</h2>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {isAnswered ? null : <Skeleton lines={6} />}
      {/* What the part reads is asked for meanwhile. */}
      <div className={isAnswered ? "contents" : "hidden"}>{children}</div>
    </Page>
  )
}
