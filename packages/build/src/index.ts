export * from "./buildConsole.ts"
export * from "./buildPrograms.ts"
export * from "./showSources.ts"
export * from "./writeSbom.ts"
