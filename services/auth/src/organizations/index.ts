export { Organizations } from "./Organizations.ts"
export { OrganizationsFeature } from "./OrganizationsFeature.ts"
