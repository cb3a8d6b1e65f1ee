import { Layer } from "effect"
import { RequestLogsHandlers } from "./http.ts"
import { RequestLogs } from "./RequestLogs.ts"

export const RequestLogsFeature = RequestLogsHandlers.pipe(Layer.provide(RequestLogs.layer))
