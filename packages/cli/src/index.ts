export * from "./AdminClient.ts"
export * from "./care.ts"
