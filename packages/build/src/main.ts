import { join } from "node:path"
import { buildPrograms } from "./buildPrograms.ts"

await buildPrograms(join(import.meta.dirname, "..", "..", "..", "dist"))
