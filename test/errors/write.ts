import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { errorsDocument } from "./errorsDocument.ts"

// Writes docs/guides/errors.md: `pnpm docs:errors`.
writeFileSync(join(import.meta.dirname, "../../docs/guides/errors.md"), `${errorsDocument}\n`)
