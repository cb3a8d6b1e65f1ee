import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

/** A folder of its own that is gone when the scope closes. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => {
    const made = mkdtempSync(join(tmpdir(), "care-suite-"))
    chmodSync(made, 0o755)
    return made
  }),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)
