export { DirectoryFeature } from "./DirectoryFeature.ts"
