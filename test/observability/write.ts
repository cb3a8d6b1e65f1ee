import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { documents, root } from "./documents.ts"

// Writes the rules, the dashboards and the table of metrics in docs/operations.md: `pnpm docs:observability`.
for (const [file, text] of Object.entries(documents)) writeFileSync(join(root, file), text)
