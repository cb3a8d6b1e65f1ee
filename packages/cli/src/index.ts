export * from "./AdminClient.ts"
export * from "./runCare.ts"
