import { Navigate } from "@tanstack/react-router"
import { useSession } from "../session/useSession.ts"
import { AllOrganizations } from "./AllOrganizations.tsx"

/** The organizations: operators see all of them, members are led to their own. */
export const Organizations = () => {
  const { organization, user } = useSession()
  return user.role === "OPERATOR" ? (
    <AllOrganizations />
  ) : (
    <Navigate
      to="/organizations/$organizationId/$part"
      params={{ organizationId: organization.id, part: "overview" }}
      replace
    />
  )
}
