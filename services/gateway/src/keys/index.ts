export { KeyResolver } from "./KeyResolver.ts"
export { makeTokenCheck } from "./makeTokenCheck.ts"
export { type ResolvedStaff, StaffResolver } from "./StaffResolver.ts"
