export * from "./AdminClient.ts"
export * from "./move/moveOrganization.ts"
export * from "./runCare.ts"
