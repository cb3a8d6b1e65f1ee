export * from "./GatewayApi.ts"
