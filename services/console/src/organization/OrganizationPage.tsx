import { useParams } from "@tanstack/react-router"
import { useSession } from "../session/useSession.ts"
import { NotFound } from "../shell/NotFound.tsx"
import { OrganizationFrame } from "./OrganizationFrame.tsx"
import { parts } from "./parts.tsx"

/** One organization, a part at a time. */
export const OrganizationPage = () => {
  const { organizationId, part: name } = useParams({ from: "/shell/organizations/$organizationId/$part" })
  const { role } = useSession().user
  const part = parts.find(({ isFor, part }) => part === name && isFor(role))
  return part === undefined ? (
    <NotFound />
  ) : (
    <OrganizationFrame organizationId={organizationId} part={part.title}>
      {part.show(organizationId)}
    </OrganizationFrame>
  )
}
