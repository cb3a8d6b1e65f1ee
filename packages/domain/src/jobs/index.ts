export * from "./Job.ts"
export * from "./JobsApi.ts"
