export { Incidents } from "./incidents/Incidents.ts"
export { StaffFeature } from "./StaffFeature.ts"
export { SingleSignOnRow } from "./singleSignOn/SingleSignOnRepo.ts"
