import { join } from "node:path"
import { buildPrograms } from "./buildPrograms.ts"
import { folder } from "./folder.ts"
import { writeSbom } from "./writeSbom.ts"

await buildPrograms(folder)
await writeSbom(join(folder, "sbom.json"))
