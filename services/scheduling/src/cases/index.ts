export { CaseFactsFeature } from "./CaseFactsFeature.ts"
export { CaseSnapshots } from "./CaseSnapshots.ts"
export { Directory } from "./directory/Directory.ts"
