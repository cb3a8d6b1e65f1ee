export * from "./AdminClient.ts"
export * from "./move/moveOrganization.ts"
export { Screen } from "./output.ts"
export * from "./runCare.ts"
