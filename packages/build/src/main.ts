import { buildPrograms } from "./buildPrograms.ts"
import { folder } from "./folder.ts"

await buildPrograms(folder)
