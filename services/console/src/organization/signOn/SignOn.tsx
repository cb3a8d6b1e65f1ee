import type { OrganizationId } from "@care/domain/ids"
import { useQuery } from "@tanstack/react-query"
import { Failure } from "../../ui/Failure.tsx"
import { Panel } from "../../ui/Panel.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { RemoveSignOn } from "./RemoveSignOn.tsx"
import { SignOnForm } from "./SignOnForm.tsx"
import { signOnQuery } from "./signOnQuery.ts"

/** How the staff of an organization sign in at its own OpenID provider. */
export const SignOn = ({ organizationId }: { readonly organizationId: OrganizationId }) => {
  const { data, error, refetch } = useQuery(signOnQuery(organizationId))
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={6} />
  return (
    <Panel
      title={data === null ? "No single sign-on yet" : "Single sign-on is set"}
      actions={data === null ? null : <RemoveSignOn setting={data} />}
    >
      <p className="max-w-prose text-muted">
        The staff with emails of your domains sign in at your OpenID provider. Register this address there, to which it
        leads back:
      </p>
      <code className="rounded-md bg-raised p-2 text-sm break-all select-all">
        {data?.redirectUri ?? `${location.origin}/admin/v1/session/oidc/callback`}
      </code>
      <SignOnForm key={data?.updatedAt.getTime()} organizationId={organizationId} setting={data} />
    </Panel>
  )
}
