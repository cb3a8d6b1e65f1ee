export * from "./GatewayApi.ts"
export * from "./OtherCellsApi.ts"
