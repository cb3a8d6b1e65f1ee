export * from "./GatewayApi.ts"
export * from "./OtherCellsApi.ts"
export * from "./ServiceHealth.ts"
