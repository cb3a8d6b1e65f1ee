export * from "./Job.ts"
export * from "./JobsApi.ts"
export * from "./ownJobsApi.ts"
