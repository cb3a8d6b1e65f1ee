export * from "./layerIdleJobs.ts"
export * from "./layerQuickJobs.ts"
