export { makeFind } from "./makeFind.ts"
export * from "./makeSite.ts"
export type { ApiDocument } from "./operationEntries.ts"
export { operatorSections, partnerSections, references } from "./pages.ts"
