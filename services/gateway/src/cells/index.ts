export { type Cell, Cells } from "./Cells.ts"
export { peerOf } from "./peerOf.ts"
