import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { clientTypes } from "./clientTypes.ts"

// Writes the types of the client: `pnpm client:types`.
writeFileSync(join(import.meta.dirname, "../../packages/client/src/generated.ts"), clientTypes)
