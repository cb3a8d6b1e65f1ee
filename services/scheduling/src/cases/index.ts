export { CaseReplicaFeature } from "./CaseReplicaFeature.ts"
export { CaseSnapshots } from "./CaseSnapshots.ts"
export { Directory } from "./directory/Directory.ts"
