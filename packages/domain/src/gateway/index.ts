export * from "./GatewayApi.ts"
export * from "./OtherCellsApi.ts"
export * from "./ServiceHealth.ts"
export type { TroublesQuery } from "./TroublesApi.ts"
