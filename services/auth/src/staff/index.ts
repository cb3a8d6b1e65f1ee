export { StaffFeature } from "./StaffFeature.ts"
export { SingleSignOnRow } from "./singleSignOn/SingleSignOnRepo.ts"
