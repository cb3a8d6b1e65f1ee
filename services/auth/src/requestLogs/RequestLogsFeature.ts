import { Layer } from "effect"
import { RequestLogsHandlers } from "./http.ts"
import { RequestDays } from "./RequestDays.ts"
import { RequestLogs } from "./RequestLogs.ts"

export const RequestLogsFeature = RequestLogsHandlers.pipe(Layer.provide([RequestDays.layer, RequestLogs.layer]))
