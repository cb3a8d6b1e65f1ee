export * from "./layerAcceptor.ts"
export * from "./makeSnapshots.ts"
export * as Replication from "./Replication.ts"
