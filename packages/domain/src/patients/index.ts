export * from "./ownPatientsApi.ts"
