import { join } from "node:path"

/** The folder that `pnpm build` writes. */
export const folder = join(import.meta.dirname, "..", "..", "..", "dist")
