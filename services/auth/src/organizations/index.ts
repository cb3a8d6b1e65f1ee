export { OrganizationReplication } from "./OrganizationReplication.ts"
export { Organizations } from "./Organizations.ts"
export { OrganizationsFeature } from "./OrganizationsFeature.ts"
