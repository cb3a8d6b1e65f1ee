export { KeyResolver } from "./KeyResolver.ts"
export { makeOperatorCheck } from "./operatorToken.ts"
export { type ResolvedStaff, StaffResolver } from "./StaffResolver.ts"
