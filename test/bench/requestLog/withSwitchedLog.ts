import { join } from "node:path"
import type { BuildPlugin } from "@care/build"

/** Builds programs with `switchedLog` instead of the request log. */
export const withSwitchedLog: BuildPlugin = {
  name: "switched request log",
  resolveId: (source, importer) =>
    source === "./RequestLog.ts" && importer?.endsWith("/services/gateway/src/forwarding/index.ts")
      ? join(import.meta.dirname, "switchedLog.ts")
      : null
}
