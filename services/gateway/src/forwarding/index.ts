export { CellLists } from "./CellLists.ts"
export { type ForwardedRequest, Forwarder, ForwardFailed } from "./Forwarder.ts"
export { Traffic } from "./Traffic.ts"
export { upstreamHeaders } from "./upstreamHeaders.ts"
