export * from "./buildPrograms.ts"
export * from "./showSources.ts"
