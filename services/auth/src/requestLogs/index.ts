export { RequestLogsFeature } from "./RequestLogsFeature.ts"
