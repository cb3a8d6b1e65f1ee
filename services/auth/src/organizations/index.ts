export { OrganizationReplication } from "./OrganizationReplication.ts"
export { Organizations } from "./Organizations.ts"
export { OrganizationsFeature } from "./OrganizationsFeature.ts"
export { TestClockFeature } from "./testClock/TestClockFeature.ts"
