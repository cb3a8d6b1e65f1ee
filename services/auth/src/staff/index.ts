export { StaffFeature } from "./StaffFeature.ts"
