import type { Migrations } from "@care/service-kit"
import createOrganizations from "./0001_create_organizations.ts"
import createApiKeys from "./0002_create_api_keys.ts"
import createUsers from "./0003_create_users.ts"
import createOrganizationAccess from "./0004_create_organization_access.ts"

/** The migrations of the auth service, in order. */
export const migrations: Migrations = {
  "0001_create_organizations": createOrganizations,
  "0002_create_api_keys": createApiKeys,
  "0003_create_users": createUsers,
  "0004_create_organization_access": createOrganizationAccess
}
