import { join } from "node:path"
import type { BuildPlugin } from "@care/build"

/** Builds programs with `switchedAudit` instead of the audit. */
export const withSwitchedAudit: BuildPlugin = {
  name: "switched audit",
  resolveId: (source, importer) =>
    source === "./Audit.ts" && importer?.endsWith("/packages/audit/src/layerAudit.ts")
      ? join(import.meta.dirname, "switchedAudit.ts")
      : null
}
