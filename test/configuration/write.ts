import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { configurationDocument } from "./configurationDocument.ts"

// Writes docs/configuration.md: `pnpm docs:configuration`.
writeFileSync(join(import.meta.dirname, "../../docs/configuration.md"), `${configurationDocument}\n`)
