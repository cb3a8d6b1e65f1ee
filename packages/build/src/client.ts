import { join } from "node:path"
import { buildClient } from "./buildClient.ts"
import { folder } from "./folder.ts"

// Writes the package of the client: `pnpm client:build`.
await buildClient(join(folder, "client"))
